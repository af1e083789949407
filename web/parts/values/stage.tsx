// The status of a transaction. Each stage has an icon and a word, so that colour is never the only sign.
import { Icon, type IconName } from '../page/icons.tsx'

type Stage = { readonly word: string; readonly icon: IconName; readonly means: string }

export const stages = {
  seen: { word: 'Seen', icon: 'eye', means: 'Waits in the pool of the node; in no flashblock and no block yet' },
  preconfirmed: { word: 'Preconfirmed', icon: 'bolt', means: 'In a flashblock of the block that is being built' },
  included: { word: 'Included', icon: 'check', means: 'In a block of the canonical chain' },
  safe: { word: 'Safe', icon: 'shield', means: 'In a block whose data is on L1' },
  finalized: { word: 'Finalized', icon: 'lock', means: 'In a block that cannot be reverted' },
  failed: { word: 'Failed', icon: 'cross', means: 'In a block, but the execution reverted' },
  dropped: { word: 'Dropped after preconfirmation', icon: 'drop', means: 'Preconfirmed, but not in the sealed block' },
} as const satisfies Record<string, Stage>

export type StageName = keyof typeof stages

/** A failed transaction is shown as failed, whatever stage its block has reached. */
export function stageOf({ state, stage }: { state: string; stage: string }): StageName {
  if (state === 'fail') return 'failed'
  return stage in stages ? (stage as StageName) : 'included'
}

/** `notes` are about preconfirmations. */
export function StageBadge({
  of,
  notes = [],
}: {
  of: { state: string; stage: string }
  notes?: readonly string[] | undefined
}) {
  const stage = stageOf(of)
  return <Badge stage={stage} {...(stage === 'preconfirmed' && { notes })} />
}

export function Badge({ stage, notes = [] }: { stage: StageName; notes?: readonly string[] }) {
  const { word, icon, means } = stages[stage]
  return (
    <span class={`badge ${stage}`} title={[means, ...notes].join('. ')}>
      <Icon name={icon} />
      {word}
    </span>
  )
}
