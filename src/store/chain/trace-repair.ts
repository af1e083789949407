// What is stored of the calls of a block, and how it is replaced once its traces are there.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Database, Queries } from '../engine/database.ts'
import type { StoredCalls } from '../schema/internal-rows.ts'
import { positionOf } from '../schema/position.ts'
import type { BlockRow, ContractRow, InternalRow, TraceGapRow, TransactionRow } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import {
  activity,
  blocks,
  contracts,
  internals,
  nativeBalances,
  nativeHistory,
  traceGaps,
  transactions,
} from '../schema/tables.ts'
import { activityOf } from './activity-rows.ts'
import { insertContracts } from './append.ts'
import { incrementChainVersion, incrementRepairs } from './chain-notes.ts'
import { deleteActivityOf } from './reorg.ts'
import { storedRows } from './same-rows.ts'

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

/** Of a block whose calls are all known; otherwise undefined. By primary keys, and the index contracts_height. */
export async function storedCalls(queries: Queries, height: number): Promise<StoredCalls | undefined> {
  const heights = { from: height, to: height }
  const [block] = await storedRows(queries, blocks, heights)
  const gaps = await storedRows(queries, traceGaps, heights)
  if (block === undefined || block.internalCount === null || gaps.length > 0) return undefined
  const rows = await storedRows(queries, internals, heights)
  if (rows.length !== block.internalCount) return undefined
  return {
    transactions: await storedRows(queries, transactions, heights),
    internals: rows,
    created: new Set((await storedRows(queries, contracts, heights)).map(({ address }) => address)),
  }
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
