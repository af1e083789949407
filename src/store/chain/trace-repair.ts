// Replaces what is stored of the calls of a block, once its traces are there.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Database, Queries } from '../engine/database.ts'
import { positionOf } from '../schema/position.ts'
import type { BlockRow, ContractRow, InternalRow, TraceGapRow, TransactionRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { activity, internals, nativeBalances, nativeHistory, traceGaps } from '../schema/tables.ts'
import { activityOf } from './activity-rows.ts'
import { insertContracts } from './append.ts'
import { incrementChainVersion, incrementRepairs } from './chain-notes.ts'
import { deleteActivityOf } from './reorg.ts'

export type TracedBlock = {
  readonly block: Pick<BlockRow, 'height' | 'internalCount'>
  readonly transactions: readonly Pick<TransactionRow, 'pos' | 'error'>[]
  readonly internals: readonly InternalRow[]
  readonly traceGaps: readonly TraceGapRow[]
  readonly contracts: readonly ContractRow[]
  /** Addresses whose balance these calls may have changed; the repair of balances reads them. */
  readonly touched: readonly Hex[]
}

/** Blocks with calls that are not known, below a height, the highest first. By the primary key. */
export async function traceGapsBelow(queries: Queries, height: number, limit: number): Promise<number[]> {
  const rows = await queries.all<{ height: number }>(
    `select distinct height
    from trace_gaps
    where height < $1
    order by height desc
    limit ${limit}`,
    [height],
  )
  return rows.map((row) => row.height)
}

/** Scans the table, which is empty where all blocks were traced. */
export async function countTraceGaps(queries: Queries): Promise<number> {
  const [row] = await queries.all<{ count: number }>('select count(distinct height) as count from trace_gaps')
  return Number(row!.count)
}

/** By primary keys. */
export function replaceTraces(database: Database, traced: TracedBlock): Promise<void> {
  const { height, internalCount } = traced.block
  const [first, end] = [positionOf(height, 0), positionOf(height + 1, 0)]
  return database.transaction(async (queries) => {
    await incrementChainVersion(queries)
    await incrementRepairs(queries)
    await deleteActivityOf(queries, 'internal', { first, end })
    await queries.run(
      `delete from internals
      where pos >= $1 and pos < $2`,
      [first, end],
    )
    await queries.insert(
      internals,
      traced.internals.map((row) => internals.encode(row)),
    )
    const active = activityOf([{ transactions: [], internals: traced.internals, transfers: [] }])
    await queries.insert(
      activity,
      active.map((row) => activity.encode(row)),
    )
    await insertContracts(queries, traced.contracts)
    await queries.run(
      `update blocks
      set internal_count = $2
      where height = $1`,
      [height, internalCount],
    )
    for (const { pos, error } of traced.transactions) {
      if (error !== null) await setError(queries, pos, error)
    }
    await replaceGaps(queries, height, traced.traceGaps)
    await forgetBalances(queries, traced.touched, height)
  })
}

/** Why a transaction failed is only in its trace. By the primary key. */
async function setError(queries: Queries, pos: number, error: string): Promise<void> {
  await queries.run(
    `update transactions
    set error = $2
    where pos = $1`,
    [pos, error],
  )
}

/** By the primary key. */
async function replaceGaps(queries: Queries, height: number, gaps: readonly TraceGapRow[]): Promise<void> {
  await queries.run(
    `delete from trace_gaps
    where height = $1`,
    [height],
  )
  await queries.insert(
    traceGaps,
    gaps.map((row) => traceGaps.encode(row)),
  )
}

/** The balances are not known any more; an address without a stored one gets a row at this height. */
async function forgetBalances(queries: Queries, addresses: readonly Hex[], height: number): Promise<void> {
  const rows = addresses.map((address) => ({ address, height, balance: null }))
  const keys = addresses.map((address) => [hexToStored(address)])
  const stored = await queries.lookup<{ address: Uint8Array }>(
    nativeBalances,
    'native_balances.address',
    ['address'],
    keys,
  )
  const known = new Set(stored.map(({ address }) => Buffer.from(address).toString('hex')))
  await queries.insert(
    nativeHistory,
    rows.filter(({ address }) => !known.has(address.slice(2))).map((row) => nativeHistory.encode(row)),
    '(address, height) do nothing',
  )
  await queries.insert(
    nativeBalances,
    rows.map((row) => nativeBalances.encode(row)),
    '(address) do update set balance = excluded.balance',
  )
}
