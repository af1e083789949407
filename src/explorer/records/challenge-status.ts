import type { BlockStamp } from '../../store/read/blocks.ts'
import type { ChainView } from '../state/chain-view.ts'

/** Row 22 of docs/spec-gaps.md; measured against the newest block, so that one head gives one answer. */
export function challengeStatusOf(view: ChainView, { block }: { block: BlockStamp }): string {
  if (view.challengePeriodMs === 0) return ''
  return block.timestampMs + view.challengePeriodMs > view.nowMs ? 'inChallengePeriod' : 'finalized'
}
