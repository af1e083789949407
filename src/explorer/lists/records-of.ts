// Rows as answers show them. The record of a cached row and its JSON are cached in the reader, for the chain state that they were built
// for: pages of busy addresses show the same rows again and again.
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
import { type ChainContext, type Movement, type RecordView, recordViewOf } from '../state/chain-context.ts'

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
