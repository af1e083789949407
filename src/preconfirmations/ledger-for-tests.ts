// A pending chain with a ledger beside it, moved by hand.

import type { Hex } from '../chain/bytes/hex.ts'
import type { Flashblock } from '../chain/codec/flashblock.ts'
import { rulesOfFork } from '../chain/rules/forks.ts'
import type { FlashblockMessage } from '../contract/flashblock.ts'
import type { CanonicalBlock } from '../pending/compare-with-sealed.ts'
import {
  EMPTY_RESEQUENCED_CHAIN,
  type FeedOrChainEvent,
  resequencedChainAfter,
  sealedBlock,
} from '../pending/payload-for-tests.ts'
import { createLedger, type Ledger, type LedgerEvent } from './ledger.ts'
import { createLedgerMirror, type LedgerMirror } from './ledger-mirror.ts'

export type LedgerWorld = {
  readonly ledger: Ledger
  readonly mirror: LedgerMirror
  /** Every event so far. */
  readonly events: readonly LedgerEvent[]
  receive(flashblocks: readonly Flashblock[], atMs: number): void
  seal(block: CanonicalBlock, atMs: number): void
}

export function createLedgerWorld(): LedgerWorld {
  const ledger = createLedger()
  const mirror = createLedgerMirror()
  const events: LedgerEvent[] = []
  ledger.on((batch) => {
    mirror.take(batch)
    events.push(...batch)
  })
  let chain = EMPTY_RESEQUENCED_CHAIN
  const take = (event: FeedOrChainEvent, atMs: number): void => {
    chain = resequencedChainAfter({ rulesOf: () => rulesOfFork('isthmus'), staleMs: null }, chain, event)
    ledger.take({ type: 'chain', chain, atMs })
  }
  return {
    ledger,
    mirror,
    events,
    receive(flashblocks, receivedMs) {
      for (const flashblock of flashblocks) {
        ledger.take({ type: 'flashblock', flashblock, message: messageOf(flashblock), receivedMs })
        take({ type: 'flashblock', flashblock, receivedMs }, receivedMs)
      }
    },
    seal(block, atMs) {
      ledger.take({ type: 'canonical', block, atMs })
      take({ type: 'canonical', block }, atMs)
    },
  }
}

/** As much of a message as goes out again. */
function messageOf({ payloadId, index, height }: Flashblock): FlashblockMessage {
  return { payload_id: payloadId, index, diff: {}, metadata: { block_number: height } } as unknown as FlashblockMessage
}

/** The block with some of its transactions, in another order, or with other outcomes. */
export function rewritten(
  { header, transactions, receipts }: CanonicalBlock,
  indexes: readonly number[],
  extra: readonly Hex[] = [],
): CanonicalBlock {
  const included = indexes.map((index) => ({ hash: transactions[index]!.hash, receipt: receipts[index]!.receipt }))
  const all = [...included, ...extra.map((hash) => ({ hash, receipt: receipts[0]!.receipt }))]
  return sealedBlock(
    { ...header, gasUsed: BigInt(all.length) * 21_000n + 1n },
    all,
    all.map(({ receipt }, i) => ({ ...receipt, cumulativeGasUsed: BigInt(i + 1) * 21_000n })),
  )
}
