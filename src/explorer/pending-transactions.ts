// Preconfirmed transactions above the index, listed before those that it has (docs/spec-gaps.md#21). Their positions are above all
// stored ones, so pages, cursors and totals continue from the pending rows into the stored ones.
import type { LedgerMirror } from '../preconfirmations/ledger-mirror.ts'
import type { ActivityFilter } from '../store/read/activity.ts'
import { positionOf } from '../store/schema/position.ts'
import type { List } from './lists/paging.ts'
import type { ListedTransaction } from './records/transaction-record.ts'
import type { Heads } from './state/chain-context.ts'

/** Newest first. */
export function pendingTransactions(
  ledger: LedgerMirror | undefined,
  { latest }: Heads,
  { address, role, from = 0, to = Number.POSITIVE_INFINITY }: ActivityFilter,
): ListedTransaction[] {
  const rows = ledger?.pendingOf(address, latest) ?? []
  return rows
    .filter(({ block: { height } }) => height >= from && height <= to)
    .filter(({ sender, recipient, contractAddress }) =>
      role === undefined ? true : role === 'from' ? sender === address : [recipient, contractAddress].includes(address),
    )
    .map(({ position, flashblockIndex: _, ...row }) => ({
      ...row,
      pos: positionOf(row.block.height, position),
      error: null,
      isPending: true as const,
    }))
}

/** `stored` must not reach above the head that the pending rows were taken for. */
export function afterPending(
  pending: readonly ListedTransaction[],
  stored: List<ListedTransaction>,
): List<ListedTransaction> {
  return {
    ...stored,
    rows: async (slice) => {
      const { limit } = slice
      const first = 'after' in slice ? pending.findIndex(({ pos }) => pos < Number(slice.after[0])) : slice.offset
      const shown = first === -1 ? [] : pending.slice(first, first + limit)
      if (shown.length === limit) return shown
      const rest = { limit: limit - shown.length }
      const found = await stored.rows(
        'after' in slice
          ? { ...rest, after: slice.after }
          : { ...rest, offset: Math.max(0, slice.offset - pending.length) },
      )
      return [...shown, ...found]
    },
    count: async () => pending.length + (await stored.count()),
  }
}
