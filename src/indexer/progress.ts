// How far the indexer is and how fast it is, as numbers for /status and as a bar for the terminal. The fields are published in /status, so
// their names must stay.
import type { StorageProblem } from '../lib/database-unavailable.ts'
import { type Gap, gapsIn } from '../store/chain/ranges.ts'
import type { Writer } from '../store/engine/database.ts'
import type { StoredRange } from '../store/schema/tables.ts'
import type { EndpointStatus } from '../upstream/node/node.ts'
import { noBalanceRepair } from './repair/balance-repair.ts'
import { type DeriveAgainProgress, nothingToDerive } from './repair/derive-again.ts'
import type { RepairProgress } from './repair/repair.ts'
import { noTraceRepair } from './repair/trace-repair.ts'
import type { TokenCheckProgress } from './token-checks/token-checker.ts'

export type IndexerProgress = {
  readonly state: 'starting' | 'waiting for another writer' | 'backfilling' | 'following' | 'in trouble'
  /** First block of the index, stored already or not. */
  readonly start: number
  /** The highest one stored; null before the first. */
  readonly indexed: number | null
  /** Time of the last block that was written at the head; null before the first. */
  readonly indexedMs: number | null
  /** Null until the node has reported it. */
  readonly head: number | null
  /** Its time; null until then. */
  readonly headMs: number | null
  readonly safe: number | null
  readonly finalized: number | null
  /** Heights, ends included, that the node has and the index does not have yet. Sums over the chain lack them too. */
  readonly missing: readonly Gap[]
  readonly blocksPerSecond: number
  /** Null while the speed is not known. */
  readonly secondsLeft: number | null
  /** Balances compared with the node, and those of them that had to be corrected. */
  readonly balancesSampled: number
  readonly balancesHealed: number
  /** How far tokens are compared with their contracts. */
  readonly tokens: TokenCheckProgress
  /** Logs that claim to be transfers and cannot be read, since the start of the process. */
  readonly malformedTransfers: number
  /** Since the start of the process. */
  readonly reorgs: number
  /** First height that the last one replaced. */
  readonly lastReorgHeight: number | null
  /** What is put right later: balances that could not be computed, blocks without all of their traces. */
  readonly repair: RepairProgress
  /** What an older version of the program derived, and how far it is derived again. */
  readonly derivation: DeriveAgainProgress
  /** Call frames that could not be read, since the start of the process. */
  readonly unreadFrames: number
  /** How traces are fetched, or why they are not. */
  readonly traces: string
  /** For each URL of the node: what it can do, how it is used and why, the current request rate, the last failure. */
  readonly node: readonly EndpointStatus[]
  /** The last failure; null while all is well. */
  readonly trouble: string | null
  /** Why nothing can be written to the store, where the last failure was that. */
  readonly storage: StorageProblem | null
  /** Who writes in place of this process; null unless it waits for the writer lock. */
  readonly writer: Writer | null
}

export const emptyProgress: IndexerProgress = {
  state: 'starting',
  start: 0,
  indexed: null,
  indexedMs: null,
  head: null,
  headMs: null,
  safe: null,
  finalized: null,
  missing: [],
  blocksPerSecond: 0,
  secondsLeft: null,
  balancesSampled: 0,
  balancesHealed: 0,
  tokens: { agreed: 0, readFromContract: 0, unconfirmed: 0, waiting: 0 },
  malformedTransfers: 0,
  reorgs: 0,
  lastReorgHeight: null,
  repair: { balances: noBalanceRepair, traces: noTraceRepair },
  derivation: nothingToDerive,
  unreadFrames: 0,
  traces: 'not known yet',
  node: [],
  trouble: null,
  storage: null,
  writer: null,
}

export type Pace = {
  wrote(blocks: number, nowMs: number): void
  blocksPerSecond(nowMs: number): number
}

const WINDOW_MS = 30_000

/** Blocks a second over the last half minute. */
export function createPace(): Pace {
  let marks: { blocks: number; atMs: number }[] = []
  const recent = (nowMs: number) => marks.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS)
  return {
    wrote(blocks, nowMs) {
      marks = [...recent(nowMs), { blocks, atMs: nowMs }]
    },
    blocksPerSecond(nowMs) {
      // The blocks of the first mark were written before the measured time began.
      const [first, ...later] = recent(nowMs)
      const last = later.at(-1)
      if (first === undefined || last === undefined || last.atMs === first.atMs) return 0
      return (later.reduce((sum, { blocks }) => sum + blocks, 0) * 1000) / (last.atMs - first.atMs)
    },
  }
}

/** `progress` with the fields that are computed from the stored ranges and the speed. */
export function withRemaining(
  progress: IndexerProgress,
  ranges: readonly StoredRange[],
  blocksPerSecond: number,
): IndexerProgress {
  const { start, head } = progress
  const indexed = ranges.at(-1)?.lastHeight ?? null
  const next = indexed === null ? start : indexed + 1
  const missing = gapsIn(ranges, start)
  if (head !== null && head >= next) missing.push({ from: next, to: head })
  const left = blockCount(missing)
  return {
    ...progress,
    indexed,
    missing,
    blocksPerSecond,
    secondsLeft: left === 0 ? 0 : blocksPerSecond > 0 ? left / blocksPerSecond : null,
  }
}

export function blockCount(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0)
}

const BAR_WIDTH = 24

/** One line; empty when no backfill runs. */
export function progressBar({ state, start, head, missing, blocksPerSecond, secondsLeft }: IndexerProgress): string {
  if (state !== 'backfilling' || head === null || head < start) return ''
  const left = blockCount(missing)
  const share = Math.max(0, 1 - left / (head - start + 1))
  const filled = Math.round(share * BAR_WIDTH)
  const time = secondsLeft === null ? '' : `, ${durationOf(secondsLeft)} left`
  return `Indexing [${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${(share * 100).toFixed(1)} %  ${left} blocks to go up to ${head}, ${Math.round(blocksPerSecond)} blocks/s${time}`
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}
