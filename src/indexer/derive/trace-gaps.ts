// What is not known of a block's calls, and whether native currency may have moved in them.
import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from '../../chain/rules/addresses.ts'
import { type TraceGapRow, WHOLE_BLOCK } from '../../store/schema/rows.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'

export function traceGapsOf(block: NodeBlock): TraceGapRow[] {
  const { header, transactions, traces, noTracesReason, unreadTraces } = block
  const height = header.number
  if (traces === null) {
    const mayMove = transactions.some((_, index) => mayCallWithValue(block, index)) ? 1 : 0
    return [{ height, transactionIndex: WHOLE_BLOCK, reason: shortened(noTracesReason ?? 'no traces'), mayMove }]
  }
  return unreadTraces.map(({ transactionIndex, frames, reason }) => ({
    height,
    transactionIndex,
    reason: shortened(frames === 1 ? reason : `${reason} (and ${frames - 1} more)`),
    mayMove: mayCallWithValue(block, transactionIndex) ? 1 : 0,
  }))
}

/** What a failed transaction did inside is undone, a plain transfer executes no code, and the deposit of L1 attributes moves nothing. */
function mayCallWithValue({ transactions, receipts }: NodeBlock, index: number): boolean {
  const { transaction, from } = transactions[index]!
  const { receipt, gasUsed } = receipts[index]!
  if (receipt.status === 0 || gasUsed <= GAS_OF_TRANSFER) return false
  return !(transaction.type === DEPOSIT && from === L1_ATTRIBUTES_DEPOSITOR)
}

const GAS_OF_TRANSFER = 21_000n

function shortened(reason: string): string {
  return reason.replaceAll('\u0000', '').slice(0, MAX_REASON_CHARS)
}

const MAX_REASON_CHARS = 200
