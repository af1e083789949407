// A flashblock as this service sends it (§6), in whichever form it was received: `base` at index 0 only, receipts keyed by the type of
// their transaction, no nulls. The order of the fields is fixed, so a relay of a relay sends the same bytes.
import { addressToHex, bytesToHex, toQuantity, wordToHex } from '../chain/bytes/hex.ts'
import type { Receipt } from '../chain/codec/receipt.ts'
import type { FlashblockMessage } from '../contract/flashblock.ts'

/** Where in the feed a flashblock stands, as subscribers write it. */
export type FeedPosition = { readonly block_number: number; readonly flashblock_index: number }
export type PayloadPosition = FeedPosition & { readonly payloadId: string }

/** A flashblock ready to be sent: encoded once, in whichever thread. */
export type OutgoingText = {
  readonly position: PayloadPosition
  readonly text: string
  /** The flashblock before the gap that lies before this one; undefined where there is no gap. */
  readonly gapAfter?: FeedPosition | undefined
}

/** The last flashblock before a gap. */
export type GapStart = { readonly height: number; readonly index: number }

export function outgoingText(message: FlashblockMessage, gapAfter?: GapStart): OutgoingText {
  return {
    position: {
      block_number: message.metadata.block_number,
      flashblock_index: message.index,
      payloadId: message.payload_id,
    },
    text: JSON.stringify(outgoingFrom(message)),
    ...(gapAfter && { gapAfter: { block_number: gapAfter.height, flashblock_index: gapAfter.index } }),
  }
}

export type OutgoingFlashblock = Pick<FlashblockMessage, 'payload_id' | 'index' | 'diff' | 'metadata'> & {
  base?: NonNullable<FlashblockMessage['base']>
}

export function outgoingFrom({ payload_id, index, base, diff, metadata }: FlashblockMessage): OutgoingFlashblock {
  const { block_number, new_account_balances, receipts } = metadata
  const { blob_gas_used, ...rest } = diff
  return {
    payload_id,
    index,
    ...(base && index === 0 && { base }),
    diff: blob_gas_used ? { blob_gas_used, ...rest } : rest,
    metadata: {
      block_number,
      ...(new_account_balances && { new_account_balances }),
      ...(receipts && { receipts: keyedByType(receipts) }),
    },
  }
}

/** A receipt that the upstream left out. */
export function receiptToFeed(receipt: Receipt): Record<string, unknown> {
  return {
    [TYPE_NAMES[receipt.type]!]: {
      status: toQuantity(receipt.status ?? 0),
      cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
      logs: receipt.logs.map(({ address, topics, data }) => ({
        address: addressToHex(address),
        topics: topics.map(wordToHex),
        data: bytesToHex(data),
      })),
      ...(receipt.depositNonce !== undefined && { depositNonce: toQuantity(receipt.depositNonce) }),
      ...(receipt.depositReceiptVersion !== undefined && {
        depositReceiptVersion: toQuantity(receipt.depositReceiptVersion),
      }),
    },
  }
}

type Receipts = NonNullable<FlashblockMessage['metadata']['receipts']>

function keyedByType(receipts: Receipts): Receipts {
  return Object.fromEntries(
    Object.entries(receipts).map(([hash, { type, ...receipt }]) => {
      const name = typeof type === 'string' ? TYPE_NAMES[Number(type)] : undefined
      return [hash, name ? { [name]: receipt } : receipt]
    }),
  )
}

const TYPE_NAMES: Readonly<Record<number, string>> = {
  0: 'Legacy',
  1: 'Eip2930',
  2: 'Eip1559',
  3: 'Eip4844',
  4: 'Eip7702',
  126: 'Deposit',
}
