// The stages of a transaction from first seen to finalized: when each was reached, and how long it took. Open pages get an update with
// every stage (topic `tx:<hash>`).
import type { ComponentChildren } from 'preact'
import type { TransactionPreconfirmation } from '../../../src/contract/pages.ts'
import { Icon } from '../page/icons.tsx'
import type { PageShell } from '../page/page-shell.ts'
import { grouped } from '../text/numbers.ts'
import { type StageName, stages } from '../values/stage.tsx'
import { Time } from '../values/time.tsx'

/** Fields of the transaction in its block. */
type Inclusion = {
  readonly state: string
  readonly stage: string
  readonly height: string
  readonly transactionTime: string
}

type Step = {
  readonly stage: StageName
  readonly isReached: boolean
  /** Empty where the time is not known. */
  readonly timeMs: string
  readonly note: ComponentChildren
}

export type TimelineProps = {
  readonly hash: string
  readonly preconfirmation: TransactionPreconfirmation | undefined
  readonly inclusion: Inclusion | undefined
  readonly shell: PageShell
}

export function Timeline({ hash, preconfirmation, inclusion, shell }: TimelineProps) {
  const steps = stepsOf(preconfirmation, inclusion)
  const stage = preconfirmation?.stage || inclusion?.stage || ''
  return (
    <div class="journey" data-live-part={`tx:${hash}`} data-stage={stage} data-indexed={inclusion ? 'yes' : 'no'}>
      <ol class="timeline">
        {steps.map((step, i) => (
          <li key={step.stage} class={step.isReached ? `reached ${step.stage}` : 'ahead'}>
            <span class="point">
              <Icon name={stages[step.stage].icon} />
            </span>
            <span class="word" title={stages[step.stage].means}>
              {stages[step.stage].word}
            </span>
            <span class="when">
              {step.isReached && step.timeMs !== '' && <Time ms={step.timeMs} shell={shell} />}
              {step.isReached && step.timeMs === '' && <span class="hidden">reached</span>}
              {!step.isReached && <Ahead steps={steps} at={i} />}
              <Since steps={steps} at={i} />
            </span>
            {step.note !== '' && <span class="note">{step.note}</span>}
          </li>
        ))}
      </ol>
      {preconfirmation && <Past preconfirmation={preconfirmation} shell={shell} />}
    </div>
  )
}

const DEPTHS = ['included', 'safe', 'finalized']

function stepsOf(preconfirmation: TransactionPreconfirmation | undefined, inclusion: Inclusion | undefined): Step[] {
  const depth = DEPTHS.indexOf(preconfirmation?.stage || inclusion?.stage || '')
  const height = preconfirmation?.includedHeight || inclusion?.height || ''
  const isDropped = preconfirmation?.stage === 'dropped'
  return [
    ...preconfirmedSteps(preconfirmation),
    ...(isDropped
      ? [
          {
            stage: 'dropped',
            isReached: true,
            timeMs: preconfirmation.droppedTime,
            note: 'Not in the sealed block',
          } as const,
        ]
      : []),
    {
      stage: inclusion?.state === 'fail' ? 'failed' : 'included',
      isReached: depth >= 0,
      timeMs: preconfirmation?.includedTime || inclusion?.transactionTime || '',
      note: height === '' ? '' : `Block ${height}`,
    },
    { stage: 'safe', isReached: depth >= 1, timeMs: preconfirmation?.safeTime ?? '', note: '' },
    { stage: 'finalized', isReached: depth >= 2, timeMs: preconfirmation?.finalizedTime ?? '', note: '' },
  ]
}

/** Empty for a transaction without a preconfirmation record: it is older than the ledger, or was in no flashblock. */
function preconfirmedSteps(preconfirmation: TransactionPreconfirmation | undefined): Step[] {
  if (!preconfirmation) return []
  const isPreconfirmed = preconfirmation.preconfirmedTime !== ''
  const seen: Step = {
    stage: 'seen',
    isReached: true,
    timeMs: preconfirmation.seenTime,
    note: 'Sent through this server',
  }
  const preconfirmed: Step = {
    stage: 'preconfirmed',
    isReached: isPreconfirmed,
    timeMs: preconfirmation.preconfirmedTime,
    note: isPreconfirmed ? (
      <a href={`/flashblock/${preconfirmation.preconfirmedHeight}/${preconfirmation.flashblockIndex}`}>
        Block {preconfirmation.preconfirmedHeight}, flashblock {preconfirmation.flashblockIndex}
      </a>
    ) : (
      ''
    ),
  }
  // A transaction that only the feed delivered was seen and preconfirmed at the same moment.
  if (preconfirmation.seenBy === 'rpc') return [seen, preconfirmed]
  return isPreconfirmed ? [preconfirmed] : []
}

/** The next step shows the time since the step before it (islands/running.ts). */
function Ahead({ steps, at }: { steps: readonly Step[]; at: number }) {
  const before = steps[at - 1]
  const isNext = before?.isReached === true && before.timeMs !== ''
  return <span {...(isNext && { 'data-running': before.timeMs })}>not yet</span>
}

/** Time since the step before, where both times are known. */
function Since({ steps, at }: { steps: readonly Step[]; at: number }) {
  const now = steps[at]!
  const before = steps.slice(0, at).findLast(({ timeMs }) => timeMs !== '')
  if (!before || now.timeMs === '') return null
  const spanMs = Number(now.timeMs) - Number(before.timeMs)
  if (spanMs < 0) return null
  return (
    <span class="since">+{spanMs < 10_000 ? `${grouped(String(spanMs))} ms` : `${(spanMs / 1000).toFixed(1)} s`}</span>
  )
}

/** A preconfirmation that was changed or dropped stays on the page. */
function Past({ preconfirmation, shell }: { preconfirmation: TransactionPreconfirmation; shell: PageShell }) {
  return (
    <>
      {preconfirmation.verdict === 'changed' && (
        <p class="failure">
          The sealed block differs from the preconfirmation: {preconfirmation.changes.join(', ')} changed.
        </p>
      )}
      {preconfirmation.past.map((past) => (
        <p key={past.time} class="note">
          Previously: {stages[past.stage as StageName]?.word ?? past.stage}, block {past.height}
          {past.flashblockIndex !== '' && `, flashblock ${past.flashblockIndex}`}, <Time ms={past.time} shell={shell} />
        </p>
      ))}
    </>
  )
}
