// What is told of the index while it runs.
import type { Head } from '../upstream/node/heads.ts'
import type { DerivedBlock } from './derive.ts'
import type { BalanceCounts } from './native-balances.ts'
import { createPace, emptyProgress, type IngestProgress, withRemaining } from './progress.ts'

export type Report = {
  update(change: Partial<IngestProgress>): void
  head(head: Head): void
  reached(height: number | null): void
  reorg(fromHeight: number): void
  malformed(blocks: readonly DerivedBlock[]): void
  trouble(error: Error): void
  readonly balances: BalanceCounts
}

/** Further behind than this is a backfill. */
const FOLLOWING_WITHIN = 10

export function createReport(options: {
  readonly startHeight: number
  readonly onProgress: (progress: IngestProgress) => void
}): Report {
  const pace = createPace()
  const balances: BalanceCounts = { sampled: 0, healed: 0 }
  let progress = emptyProgress
  const update = (change: Partial<IngestProgress>) => {
    const counts = { balancesSampled: balances.sampled, balancesHealed: balances.healed }
    progress = withRemaining({ ...progress, ...counts, ...change }, options.startHeight, pace.blocksPerSecond())
    options.onProgress(progress)
  }
  const stateAt = (indexed: number | null, head: number | null): IngestProgress['state'] =>
    head === null
      ? 'starting'
      : head - (indexed ?? options.startHeight) > FOLLOWING_WITHIN
        ? 'backfilling'
        : 'following'
  return {
    balances,
    update,
    head: ({ height }) => update({ head: height, state: stateAt(progress.indexed, height) }),
    reached(height) {
      if (height !== null) pace.reached(height, Date.now())
      update({ indexed: height, state: stateAt(height, progress.head), trouble: null })
    },
    reorg: (fromHeight) => update({ reorgs: progress.reorgs + 1, lastReorgHeight: fromHeight }),
    malformed(blocks) {
      const found = blocks.reduce((sum, { malformedTransfers }) => sum + malformedTransfers, 0)
      if (found > 0) update({ malformedTransfers: progress.malformedTransfers + found })
    },
    trouble: ({ message }) => update({ state: 'in trouble', trouble: message }),
  }
}
