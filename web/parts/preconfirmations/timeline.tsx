// From first seen to final: which steps a transaction has taken, when, and how long each took. Open pages get it anew with every
// step (topic `tx:<hash>`).
import type { ComponentChildren } from 'preact'
import type { TransactionPreconfirmation } from '../../../src/contract/pages.ts'
import { Icon } from '../page/icons.tsx'
import type { PageShell } from '../page/page-shell.ts'
import { grouped } from '../text/numbers.ts'
import { type StageName, stages } from '../values/stage.tsx'
import { Time } from '../values/time.tsx'

/** What the block says, where there is one. */
type Inclusion = {
  readonly state: string
  readonly stage: string
  readonly height: string
  readonly transactionTime: string
}

type Step = {
  readonly stage: StageName
  readonly isReached: boolean
  /** When, where that is known. */
  readonly timeMs: string
  /** Block, flashblock, or why. */
  readonly note: ComponentChildren
}

export type TimelineProps = {
  readonly hash: string
  readonly account: TransactionPreconfirmation | undefined
  readonly inclusion: Inclusion | undefined
  readonly shell: PageShell
}

export function Timeline({ hash, account, inclusion, shell }: TimelineProps) {
  const steps = stepsOf(account, inclusion)
  const stage = account?.stage || inclusion?.stage || ''
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
      {account && <Past account={account} shell={shell} />}
    </div>
  )
}

const DEPTHS = ['included', 'safe', 'finalized']

function stepsOf(account: TransactionPreconfirmation | undefined, inclusion: Inclusion | undefined): Step[] {
  const depth = DEPTHS.indexOf(account?.stage || inclusion?.stage || '')
  const height = account?.includedHeight || inclusion?.height || ''
  const isDropped = account?.stage === 'dropped'
  return [
    ...promised(account),
    ...(isDropped
      ? [{ stage: 'dropped', isReached: true, timeMs: account.droppedTime, note: 'Not in the sealed block' } as const]
      : []),
    {
      stage: inclusion?.state === 'fail' ? 'failed' : 'included',
      isReached: depth >= 0,
      timeMs: account?.includedTime || inclusion?.transactionTime || '',
      note: height === '' ? '' : `Block ${height}`,
    },
    { stage: 'safe', isReached: depth >= 1, timeMs: account?.safeTime ?? '', note: '' },
    { stage: 'finalized', isReached: depth >= 2, timeMs: account?.finalizedTime ?? '', note: '' },
  ]
}

/** Nothing was promised of a transaction that is older than the account, or that came without a flashblock. */
function promised(account: TransactionPreconfirmation | undefined): Step[] {
  if (!account) return []
  const isPromised = account.preconfirmedTime !== ''
  const seen: Step = { stage: 'seen', isReached: true, timeMs: account.seenTime, note: 'Sent through here' }
  const preconfirmed: Step = {
    stage: 'preconfirmed',
    isReached: isPromised,
    timeMs: account.preconfirmedTime,
    note: isPromised ? (
      <a href={`/flashblock/${account.preconfirmedHeight}/${account.flashblockIndex}`}>
        Block {account.preconfirmedHeight}, flashblock {account.flashblockIndex}
      </a>
    ) : (
      ''
    ),
  }
  // What the feed brings is seen and preconfirmed at once.
  if (account.seenBy === 'rpc') return [seen, preconfirmed]
  return isPromised ? [preconfirmed] : []
}

/** The step that is waited for counts while the reader looks (islands/running.ts). */
function Ahead({ steps, at }: { steps: readonly Step[]; at: number }) {
  const before = steps[at - 1]
  const isNext = before?.isReached === true && before.timeMs !== ''
  return <span {...(isNext && { 'data-running': before.timeMs })}>not yet</span>
}

/** Time since the step before, where both are known. */
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

/** A promise that was broken stays on the page. */
function Past({ account, shell }: { account: TransactionPreconfirmation; shell: PageShell }) {
  return (
    <>
      {account.verdict === 'changed' && (
        <p class="failure">The sealed block did not keep the promise: {account.changes.join(', ')} changed.</p>
      )}
      {account.past.map((past) => (
        <p key={past.time} class="note">
          Before: {stages[past.stage as StageName]?.word ?? past.stage}, block {past.height}
          {past.flashblockIndex !== '' && `, flashblock ${past.flashblockIndex}`}, <Time ms={past.time} shell={shell} />
        </p>
      ))}
    </>
  )
}
