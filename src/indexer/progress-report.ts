// Collects what happens in the indexer and reports its progress.
import { storageProblemOf } from '../lib/database-unavailable.ts'
import type { StoredRange } from '../store/schema/tables.ts'
import type { Head } from '../upstream/node/heads.ts'
import type { Node } from '../upstream/node/node.ts'
import type { NodeBlock } from '../upstream/node/node-block.ts'
import type { BalanceCounts } from './complete/native-balances.ts'
import type { DerivedBlock } from './derive/derive.ts'
import { blockCount, createPace, emptyProgress, type IndexerProgress, withRemaining } from './progress.ts'

export type ProgressReport = {
  update(change: Partial<IndexerProgress>): void
  head(head: Head): void
  /** What is stored now, and how many blocks were just written. */
  stored(ranges: readonly StoredRange[], written: number): void
  reorg(fromHeight: number): void
  malformed(blocks: readonly DerivedBlock[]): void
  unreadTraces(blocks: readonly NodeBlock[]): void
  /** The last failure is over. */
  recovered(): void
  failed(error: Error): void
  readonly balances: BalanceCounts
}

/** When more blocks than this are missing, the state is `backfilling`: five seconds of a chain with five blocks a second. */
const FOLLOWING_WITHIN = 25

export function createProgressReport(options: {
  readonly node: Pick<Node, 'status'>
  readonly startHeight: number
  readonly onProgress: (progress: IndexerProgress) => void
}): ProgressReport {
  const pace = createPace()
  const balances: BalanceCounts = { sampled: 0, healed: 0 }
  let progress: IndexerProgress = { ...emptyProgress, start: options.startHeight }
  let ranges: readonly StoredRange[] = []
  const update = (change: Partial<IndexerProgress>) => {
    const counts = { balancesSampled: balances.sampled, balancesHealed: balances.healed }
    const node = options.node.status()
    const traces = node.find(({ profile }) => profile !== null)?.profile?.traces.reason ?? progress.traces
    const latest = { ...progress, ...counts, node, traces, ...change }
    progress = withRemaining(latest, ranges, pace.blocksPerSecond(performance.now()))
    options.onProgress(progress)
  }
  const stateAt = (head: number | null): IndexerProgress['state'] => {
    if (progress.trouble !== null) return 'in trouble'
    if (head === null) return 'starting'
    const { missing } = withRemaining({ ...progress, head }, ranges, 0)
    return blockCount(missing) > FOLLOWING_WITHIN ? 'backfilling' : 'following'
  }
  return {
    balances,
    update,
    head: ({ height, timestampMs }) => update({ head: height, headMs: timestampMs, state: stateAt(height) }),
    stored(latest, written) {
      ranges = latest
      if (written > 0) pace.wrote(written, performance.now())
      update({ state: stateAt(progress.head) })
    },
    reorg: (fromHeight) => update({ reorgs: progress.reorgs + 1, lastReorgHeight: fromHeight }),
    malformed(blocks) {
      const found = blocks.reduce((sum, { malformedTransfers }) => sum + malformedTransfers, 0)
      if (found > 0) update({ malformedTransfers: progress.malformedTransfers + found })
    },
    unreadTraces(blocks) {
      const frames = blocks.flatMap(({ unreadTraces }) => unreadTraces).reduce((sum, { frames }) => sum + frames, 0)
      if (frames > 0) update({ unreadFrames: progress.unreadFrames + frames })
    },
    recovered() {
      progress = { ...progress, trouble: null, storage: null }
      update({ state: stateAt(progress.head) })
    },
    failed: (error) => update({ state: 'in trouble', trouble: error.message, storage: storageProblemOf(error) }),
  }
}
