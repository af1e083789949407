// Rows as answers show them. The record of a cached row and its JSON are cached in the reader, for the chain state that they were built
// for: pages of busy addresses show the same rows again and again. Deposits get the L1 transaction that sent them.

import type { Hex } from '../../chain/bytes/hex.ts'
import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { l1BlockHashFrom } from '../../chain/rules/deposits-on-l1.ts'
import { transactionsAt } from '../../store/read/chain-rows.ts'
import { transactionInput } from '../../store/read/transactions.ts'
import { heightOf, positionOf } from '../../store/schema/position.ts'
import {
  addressInternalListRecord,
  addressInternalRecord,
  blockInternalRecord,
  internalDetailRecord,
  internalOfBatchRecord,
} from '../records/internal-record.ts'
import {
  addressTransactionRecord,
  blockTransactionRecord,
  latestTransactionRecord,
  normalTransactionRecord,
} from '../records/transaction-record.ts'
import {
  addressTransferRecord,
  blockTransferRecord,
  tokenTransactionRecord,
  tokenTransferRecord,
  transferOfTransactionRecord,
} from '../records/transfer-record.ts'
import {
  type ChainContext,
  type L1Origins,
  type Movement,
  type RecordView,
  recordViewOf,
} from '../state/chain-context.ts'

/** Every kind of record of a list, and the table of its rows. */
const kinds = {
  addressTransaction: { table: 'transactions', recordOf: addressTransactionRecord },
  blockTransaction: { table: 'transactions', recordOf: blockTransactionRecord },
  latestTransaction: { table: 'transactions', recordOf: latestTransactionRecord },
  normalTransaction: { table: 'transactions', recordOf: normalTransactionRecord },
  addressInternal: { table: 'internals', recordOf: addressInternalRecord },
  addressInternalList: { table: 'internals', recordOf: addressInternalListRecord },
  blockInternal: { table: 'internals', recordOf: blockInternalRecord },
  internalDetail: { table: 'internals', recordOf: internalDetailRecord },
  internalOfBatch: { table: 'internals', recordOf: internalOfBatchRecord },
  addressTransfer: { table: 'transfers', recordOf: addressTransferRecord },
  blockTransfer: { table: 'transfers', recordOf: blockTransferRecord },
  tokenTransaction: { table: 'transfers', recordOf: tokenTransactionRecord },
  tokenTransfer: { table: 'transfers', recordOf: tokenTransferRecord },
  transferOfTransaction: { table: 'transfers', recordOf: transferOfTransactionRecord },
} as const

type Kind = keyof typeof kinds
type RowOf<K extends Kind> = Parameters<(typeof kinds)[K]['recordOf']>[1]
type RecordOf<K extends Kind> = ReturnType<(typeof kinds)[K]['recordOf']>
/** A pending transaction has a position that another one may have a moment later, so it is never cached. */
type ListedRow = Movement & { readonly pos: number; readonly pending?: string | undefined }

/** Records, and the JSON of their array for whoever sends it. */
export type RecordList<A> = { readonly records: A[]; readonly json: () => string }

export async function recordsOf<K extends Kind>(
  chain: ChainContext,
  rows: readonly RowOf<K>[],
  kind: K,
): Promise<RecordList<RecordOf<K>>> {
  const { table, recordOf } = kinds[kind] as {
    readonly table: string
    readonly recordOf: (view: RecordView, row: RowOf<K>) => RecordOf<K>
  }
  const { cache } = chain.reader
  const listed: readonly (RowOf<K> & ListedRow)[] = rows
  const found = listed.map(({ pos, pending }) => (pending ? undefined : cache.record(table, pos, kind)))
  const missing = listed.filter((_, i) => found[i] === undefined)
  if (missing.length > 0) {
    const view = await recordViewOf(chain, missing)
    for (const [i, row] of listed.entries()) {
      if (found[i] !== undefined) continue
      const built = { kind, record: recordOf(view, row), json: undefined }
      found[i] = built
      if (!row.pending) cache.setRecord(table, row.pos, built)
    }
  }
  return {
    records: found.map((each) => each!.record as RecordOf<K>),
    json: () => `[${found.map((each) => (each!.json ??= JSON.stringify(each!.record))).join(',')}]`,
  }
}

/** Records without a cached JSON. */
export function recordList<A>(records: A[]): RecordList<A> {
  return { records, json: () => JSON.stringify(records) }
}

type Lists = Readonly<Record<string, RecordList<object>>>

/** A paged answer: one element with these fields and lists. */
export function pageAnswer<F extends object, L extends Lists>(fields: F, lists: L) {
  const element = { ...fields } as F & { [N in keyof L]: L[N]['records'] }
  for (const name in lists) element[name] = lists[name]!.records as never
  const data: [typeof element] = [element]
  const dataJson = (): string => {
    const parts = Object.entries(lists).map(([name, list]) => `,${JSON.stringify(name)}:${list.json()}`)
    return `[${JSON.stringify(fields).slice(0, -1)}${parts.join('')}}]`
  }
  return { data, dataJson }
}

/** A transaction, or a child of one. */
type Listed = { readonly pos: number } & (
  | { readonly type: number; readonly sourceHash: Hex | null }
  | { readonly txPos: number; readonly transaction: { readonly type: number } }
)

/** Fills in `l1OriginHash` of deposits (docs/spec-gaps.md#23): the L1 transaction that sent them. */
export async function withL1Origins<A extends { l1OriginHash: string }>(
  chain: ChainContext,
  rows: readonly Listed[],
  list: RecordList<A>,
): Promise<RecordList<A>> {
  const { l1 } = chain
  if (!l1 || !rows.some(isOfDeposit)) return list
  const sources = await sourcesOf(chain, rows)
  const heights = new Set([...sources.values()].map(({ pos }) => heightOf(pos)))
  const deposits = new Map<number, ReadonlyMap<Hex, Hex> | undefined>()
  await Promise.all([...heights].map(async (height) => deposits.set(height, await depositsBehind(chain, l1, height))))
  return recordList(
    list.records.map((record, i) => {
      const source = sources.get(transactionPositionOf(rows[i]!))
      const origin = source && deposits.get(heightOf(source.pos))?.get(source.sourceHash)
      return origin ? { ...record, l1OriginHash: origin } : record
    }),
  )
}

function isOfDeposit(row: Listed): boolean {
  return ('transaction' in row ? row.transaction : row).type === DEPOSIT
}

function transactionPositionOf(row: Listed): number {
  return 'txPos' in row ? row.txPos : row.pos
}

/** Source hashes of the deposits, by position. */
async function sourcesOf({ reader }: ChainContext, rows: readonly Listed[]) {
  const positions = [...new Set(rows.filter(isOfDeposit).map(transactionPositionOf))]
  const found = await transactionsAt(reader, positions)
  return new Map(found.flatMap(({ pos, sourceHash }) => (sourceHash ? [[pos, { pos, sourceHash }] as const] : [])))
}

async function depositsBehind({ reader }: ChainContext, l1: L1Origins, height: number) {
  const input = await transactionInput(reader, positionOf(height, 0))
  const l1BlockHash = input && l1BlockHashFrom(input)
  return l1BlockHash && l1.depositsIn(l1BlockHash)
}
