// The fields that a chain with rules of its own adds to its answers: block times in milliseconds, and the payer of a sponsored
// transaction. On every other chain there is nothing to add.
import { addressToHex, type Hex, toQuantity } from '../../src/chain/bytes/hex.ts'
import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { blockTimeOf, type ChainBlock, millisecondsOf } from '../chain/included-transaction.ts'
import { isSponsored, SPONSORED } from '../chain/own-transaction.ts'
import { SPONSOR } from '../genesis/own-rules.ts'

/** Of a block or its header. */
export function timeFields(block: ChainBlock): { readonly timestampMs?: Hex } {
  return millisecondsOf(block) === undefined ? {} : { timestampMs: toQuantity(blockTimeOf(block)) }
}

/** Of a transaction, a receipt or a log. */
export function blockTimeFields(block: ChainBlock): { readonly blockTimestampMs?: Hex } {
  return millisecondsOf(block) === undefined ? {} : { blockTimestampMs: toQuantity(blockTimeOf(block)) }
}

/** Of a transaction or its receipt. */
export function typeFields(recovered: RecoveredTransaction): { readonly type?: Hex; readonly payer?: Hex } {
  return isSponsored(recovered) ? { type: toQuantity(SPONSORED), payer: addressToHex(SPONSOR) } : {}
}
