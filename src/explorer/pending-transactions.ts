// Preconfirmed transactions above the index, listed before those that it has (docs/spec-gaps.md#21). Their positions are above all
// stored ones, so pages, cursors and totals continue from the pending rows into the stored ones.
import type { Hex } from '../chain/bytes/hex.ts'
import type { LedgerMirror } from '../preconfirmations/ledger-mirror.ts'
import type { PendingTransactionRow } from '../preconfirmations/pending-row.ts'
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
  return (ledger?.pendingOf(address, latest) ?? [])
    .filter(({ block: { height } }) => height >= from && height <= to)
    .filter(({ sender, recipient, contractAddress }) =>
      role === undefined ? true : role === 'from' ? sender === address : [recipient, contractAddress].includes(address),
    )
    .map((row) => listedPending(ledger!, row))
}

/** Those of these hashes that are preconfirmed in a block above the index. */
export function pendingByHash(
  ledger: LedgerMirror | undefined,
  { latest }: Heads,
  hashes: readonly Hex[],
): ListedTransaction[] {
  if (ledger === undefined) return []
  return hashes.flatMap((hash) => {
    const row = ledger.pendingAt(hash, latest)
    return row === null ? [] : [listedPending(ledger, row)]
  })
}

/** Its time is that of its broadcast (§3): when our RPC took it, else when the feed brought it. */
function listedPending(
  ledger: LedgerMirror,
  { position, flashblockIndex: _, ...row }: PendingTransactionRow,
): ListedTransaction {
  const seenMs = ledger.stagesOf(row.hash)?.record.seenMs
  return {
    ...row,
    block: { ...row.block, timestampMs: seenMs ?? row.block.timestampMs },
    pos: positionOf(row.block.height, position),
    error: null,
    isPending: true,
  }
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
