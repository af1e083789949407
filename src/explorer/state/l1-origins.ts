// `l1OriginHash` of deposits (docs/spec-gaps.md#23): the L1 transaction that made them.

import type { Hex } from '../../chain/bytes/hex.ts'
import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { l1BlockHashFrom } from '../../chain/rules/deposits-on-l1.ts'
import { transactionsAt } from '../../store/read/in-chain.ts'
import { transactionInput } from '../../store/read/transactions.ts'
import { heightOf, positionOf } from '../../store/schema/position.ts'
import type { ChainNow } from './chain-now.ts'

/** What the explorer asks of L1. */
export type L1Origins = {
  /** Hashes of L1 transactions by the source hash of the deposit that each made; undefined when L1 does not tell in time. */
  depositsIn(l1BlockHash: Hex): Promise<ReadonlyMap<Hex, Hex> | undefined>
  /** Grows with every answer that came when nobody waited any more: then it is worth making an answer again. */
  lateAnswers(): number
}

/** A transaction, or what one did. */
type Listed = { readonly pos: number } & (
  | { readonly type: number; readonly sourceHash: Hex | null }
  | { readonly txPos: number; readonly transaction: { readonly type: number } }
)

export async function withL1Origins<A extends { l1OriginHash: string }>(
  now: ChainNow,
  rows: readonly Listed[],
  records: A[],
): Promise<A[]> {
  const { l1 } = now
  if (!l1 || !rows.some(isOfDeposit)) return records
  const sources = await sourcesOf(now, rows)
  const heights = new Set([...sources.values()].map(({ pos }) => heightOf(pos)))
  const deposits = new Map<number, ReadonlyMap<Hex, Hex> | undefined>()
  await Promise.all([...heights].map(async (height) => deposits.set(height, await depositsBehind(now, l1, height))))
  return records.map((record, i) => {
    const source = sources.get(transactionPositionOf(rows[i]!))
    const origin = source && deposits.get(heightOf(source.pos))?.get(source.sourceHash)
    return origin ? { ...record, l1OriginHash: origin } : record
  })
}

function isOfDeposit(row: Listed): boolean {
  return ('transaction' in row ? row.transaction : row).type === DEPOSIT
}

function transactionPositionOf(row: Listed): number {
  return 'txPos' in row ? row.txPos : row.pos
}

/** Source hashes of the deposits, by position. */
async function sourcesOf({ queries }: ChainNow, rows: readonly Listed[]) {
  const positions = [...new Set(rows.filter(isOfDeposit).map(transactionPositionOf))]
  const found = await transactionsAt(queries, positions)
  return new Map(found.flatMap(({ pos, sourceHash }) => (sourceHash ? [[pos, { pos, sourceHash }] as const] : [])))
}

async function depositsBehind({ queries }: ChainNow, l1: L1Origins, height: number) {
  const input = await transactionInput(queries, positionOf(height, 0))
  const l1BlockHash = input && l1BlockHashFrom(input)
  return l1BlockHash && l1.depositsIn(l1BlockHash)
}
