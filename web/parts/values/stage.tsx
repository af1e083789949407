// How sure a transaction is. Colour never stands alone: each stage has its icon and its word.
import { Icon, type IconName } from '../page/icons.tsx'

type Stage = { readonly word: string; readonly icon: IconName; readonly means: string }

export const stages = {
  seen: { word: 'Seen', icon: 'eye', means: 'Known here, in no block and no flashblock yet' },
  preconfirmed: { word: 'Preconfirmed', icon: 'bolt', means: 'In a flashblock of the block being built' },
  included: { word: 'Included', icon: 'check', means: 'In a block of the canonical chain' },
  safe: { word: 'Safe', icon: 'shield', means: 'In a block that is derived from layer 1' },
  finalized: { word: 'Final', icon: 'lock', means: 'In a block that cannot be taken back' },
  failed: { word: 'Failed', icon: 'cross', means: 'In a block, but its execution was reverted' },
  dropped: { word: 'Dropped after preconfirmation', icon: 'drop', means: 'Preconfirmed, yet not in the sealed block' },
} as const satisfies Record<string, Stage>

export type StageName = keyof typeof stages

/** What to show of a record: a failure says more than how deep it lies. */
export function stageOf({ state, stage }: { state: string; stage: string }): StageName {
  if (state === 'fail') return 'failed'
  return stage in stages ? (stage as StageName) : 'included'
}

export function StageBadge({ of }: { of: { state: string; stage: string } }) {
  return <Badge stage={stageOf(of)} />
}

export function Badge({ stage }: { stage: StageName }) {
  const { word, icon, means } = stages[stage]
  return (
    <span class={`badge ${stage}`} title={means}>
      <Icon name={icon} />
      {word}
    </span>
  )
}
