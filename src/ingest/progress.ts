// How far the index is and how fast it goes, as numbers for /status and as a bar for a terminal.
export type IngestProgress = {
  readonly state: 'starting' | 'waiting for another writer' | 'backfilling' | 'following' | 'in trouble'
  /** Null before the first block. */
  readonly indexed: number | null
  /** Null until the node has told it. */
  readonly head: number | null
  readonly safe: number | null
  readonly finalized: number | null
  /** Heights, ends included, that the node has and the index has not yet. */
  readonly missing: readonly { readonly from: number; readonly to: number }[]
  readonly blocksPerSecond: number
  /** Null while the pace is not known. */
  readonly secondsLeft: number | null
  /** Balances compared with the node, and those of them that had to be corrected. */
  readonly balancesSampled: number
  readonly balancesHealed: number
  /** Logs that claim to be transfers and cannot be read, since the start of the process. */
  readonly malformedTransfers: number
  /** Since the start of the process. */
  readonly reorgs: number
  /** First height that the last one replaced. */
  readonly lastReorgHeight: number | null
  /** How traces are had, or why they are not. */
  readonly traces: string
  readonly trouble: string | null
}

export const emptyProgress: IngestProgress = {
  state: 'starting',
  indexed: null,
  head: null,
  safe: null,
  finalized: null,
  missing: [],
  blocksPerSecond: 0,
  secondsLeft: null,
  balancesSampled: 0,
  balancesHealed: 0,
  malformedTransfers: 0,
  reorgs: 0,
  lastReorgHeight: null,
  traces: 'not known yet',
  trouble: null,
}

export type Pace = {
  /** A reorg may go back. */
  reached(height: number, nowMs: number): void
  blocksPerSecond(): number
}

const WINDOW_MS = 30_000

/** Blocks a second over the last half minute. */
export function createPace(): Pace {
  let marks: { height: number; atMs: number }[] = []
  return {
    reached(height, nowMs) {
      if (height < (marks.at(-1)?.height ?? 0)) marks = []
      marks = [...marks.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS), { height, atMs: nowMs }]
    },
    blocksPerSecond() {
      const [first] = marks
      const last = marks.at(-1)
      if (first === undefined || last === undefined || last.atMs === first.atMs) return 0
      return ((last.height - first.height) * 1000) / (last.atMs - first.atMs)
    },
  }
}

/** `progress` with what follows from its heights and the pace. */
export function withRemaining(progress: IngestProgress, startHeight: number, blocksPerSecond: number): IngestProgress {
  const next = progress.indexed === null ? startHeight : progress.indexed + 1
  const to = progress.head ?? -1
  const left = Math.max(0, to - next + 1)
  return {
    ...progress,
    missing: left === 0 ? [] : [{ from: next, to }],
    blocksPerSecond,
    secondsLeft: left === 0 ? 0 : blocksPerSecond > 0 ? left / blocksPerSecond : null,
  }
}

const BAR_WIDTH = 24

/** One line; empty where there is nothing to wait for. */
export function barOf({ state, indexed, head, blocksPerSecond, secondsLeft }: IngestProgress): string {
  if (state !== 'backfilling' || indexed === null || head === null || head === 0) return ''
  const share = Math.min(1, indexed / head)
  const filled = Math.round(share * BAR_WIDTH)
  const left = secondsLeft === null ? '' : `, ${durationOf(secondsLeft)} left`
  return `Indexing [${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${(share * 100).toFixed(1)} %  block ${indexed} of ${head}, ${Math.round(blocksPerSecond)} blocks/s${left}`
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}
