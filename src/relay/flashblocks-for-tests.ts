// Small flashblocks, and a subscriber that reads what it is sent.
import type { FlashblockMessage } from '../contract/flashblock.ts'
import type { Sink } from './hub.ts'
import { payloadOf } from './websocket-frames.ts'

const WORD = `0x${'00'.repeat(32)}`
const ADDRESS = `0x${'00'.repeat(20)}`

export function flashblock(
  block: number,
  index: number,
  options: { payload?: number; transactions?: string[]; metadata?: Partial<FlashblockMessage['metadata']> } = {},
): FlashblockMessage {
  return {
    base:
      index > 0
        ? null
        : {
            base_fee_per_gas: '0x1',
            block_number: `0x${block.toString(16)}`,
            extra_data: '0x',
            fee_recipient: ADDRESS,
            gas_limit: '0x1',
            parent_beacon_block_root: WORD,
            parent_hash: WORD,
            prev_randao: WORD,
            timestamp: '0x1',
          },
    diff: {
      blob_gas_used: null,
      block_hash: WORD,
      gas_used: '0x1',
      logs_bloom: '0x',
      receipts_root: WORD,
      state_root: WORD,
      transactions: options.transactions ?? [],
      withdrawals: [],
      withdrawals_root: WORD,
    },
    index,
    metadata: { block_number: block, ...options.metadata },
    payload_id: `0x${(options.payload ?? block).toString(16).padStart(16, '0')}`,
  }
}

/** One with this many bytes of calldata more. */
export function heavyFlashblock(block: number, index: number, bytes: number): FlashblockMessage {
  return flashblock(block, index, { transactions: [`0x${'ab'.repeat(bytes / 2)}`] })
}

/** `12.3` for a flashblock, the notice itself for a gap. */
export function saidBy(text: string): unknown {
  const message = JSON.parse(text) as { gap?: unknown } & FlashblockMessage
  return message.gap ?? `${message.metadata.block_number}.${message.index}`
}

export type TestSink = Sink & {
  /** What came in plain frames, in short. */
  said: () => unknown[]
  frames: Buffer[]
  isOpen: boolean
  isCutOff: boolean
}

export function createTestSink(): TestSink {
  const frames: Buffer[] = []
  const sink: TestSink = {
    frames,
    isOpen: true,
    isCutOff: false,
    said: () => frames.map((frame) => saidBy(payloadOf(frame).toString())),
    write: (frame) => {
      frames.push(frame)
      return sink.isOpen
    },
    cutOff: (notice) => {
      frames.push(notice)
      sink.isCutOff = true
    },
  }
  return sink
}
