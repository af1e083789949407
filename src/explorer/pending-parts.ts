// Token transfers and internal transactions of preconfirmed transactions. Transfers come from the receipt; calls are traced when somebody
// asks for a transaction by its hash.
import type { Hex } from '../chain/bytes/hex.ts'
import type { InTransaction } from '../store/read/chain-rows.ts'
import { addInternalRows } from '../store/schema/internal-rows.ts'
import { positionOf } from '../store/schema/position.ts'
import type { InternalRow, TokenKind } from '../store/schema/rows.ts'
import { preconfirmed } from './pending-transactions.ts'
import type { ListedInternal } from './records/internal-record.ts'
import type { PendingTransaction } from './records/transaction-record.ts'
import type { ListedTransfer } from './records/transfer-record.ts'
import type { ChainContext } from './state/chain-context.ts'

export type TransferFilter = {
  readonly address?: Hex | undefined
  readonly role?: 'from' | 'to' | undefined
  readonly token?: Hex | undefined
  readonly kind?: TokenKind | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly minAmount?: bigint | undefined
  readonly maxAmount?: bigint | undefined
}

/** Newest first. */
export function pendingTransfers(chain: ChainContext, filter: TransferFilter): ListedTransfer[] {
  const { address, role, token, kind, from = 0, to = Number.POSITIVE_INFINITY, minAmount, maxAmount } = filter
  return preconfirmed(chain, address ?? token)
    .filter(({ block: { height } }) => height! >= from && height! <= to)
    .flatMap(transfersOf)
    .filter(
      (transfer) =>
        (token === undefined || transfer.token === token) &&
        (kind === undefined || transfer.kind === kind) &&
        (minAmount === undefined || transfer.amount >= minAmount) &&
        (maxAmount === undefined || transfer.amount <= maxAmount) &&
        (address === undefined ||
          (role !== 'to' && transfer.sender === address) ||
          (role !== 'from' && transfer.recipient === address)),
    )
    .toReversed()
    .sort((a, b) => b.pos - a.pos)
}

/** As they happened. */
export function transfersOf(row: PendingTransaction): ListedTransfer[] {
  if (row.pending !== 'preconfirmed') return []
  return row.transfers.map(({ index, ...transfer }) => ({
    ...transfer,
    ...inTransaction(row),
    pos: positionOf(row.block.height!, index),
    txPos: row.pos,
  }))
}

export type TracedCalls = { readonly internals: readonly ListedInternal[]; readonly isComplete: boolean }

/** What waits in a pool has made no calls yet: nobody can tell which it will make. */
export async function internalsOf(chain: ChainContext, row: PendingTransaction): Promise<TracedCalls> {
  const trace = row.pending === 'preconfirmed' ? await chain.tracePending?.(row.hash) : undefined
  if (!trace || trace.frame === null)
    return { internals: [], isComplete: trace !== undefined && trace.unread.length === 0 }
  const rows: InternalRow[] = []
  addInternalRows(rows, trace.frame, { height: row.block.height!, txPos: row.pos })
  return {
    internals: rows.map((internal) => ({ ...internal, ...inTransaction(row) })),
    isComplete: trace.unread.length === 0,
  }
}

function inTransaction(
  row: PendingTransaction,
): Pick<InTransaction<object>, 'block' | 'transaction'> & { pending: 'preconfirmed' } {
  const { hash, method, status, type, fee, block } = row
  return {
    pending: 'preconfirmed',
    block: { height: block.height!, hash: block.hash!, timestampMs: block.timestampMs },
    // Its calls and logs are known, so its fee is.
    transaction: { hash, method, status, type, fee: fee ?? 0n },
  }
}
