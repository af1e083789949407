// `l1OriginHash` of deposits (docs/spec-gaps.md#23): the L1 transaction that sent them.

import type { Hex } from '../../chain/bytes/hex.ts'
import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { l1BlockHashFrom } from '../../chain/rules/deposits-on-l1.ts'
import { transactionsAt } from '../../store/read/chain-rows.ts'
import { transactionInput } from '../../store/read/transactions.ts'
import { heightOf, positionOf } from '../../store/schema/position.ts'
import type { ChainContext, L1Origins } from '../state/chain-context.ts'
import { type RecordList, recordList } from './records-of.ts'

/** A transaction, or a child of one. */
type Listed = { readonly pos: number } & (
  | { readonly type: number; readonly sourceHash: Hex | null }
  | { readonly txPos: number; readonly transaction: { readonly type: number } }
)

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
