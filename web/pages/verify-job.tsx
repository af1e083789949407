// A verification job: its stages and its result. Open pages get an update with every stage (topic `job:<guid>`).

import { MatchBadge } from '../parts/contract/match.tsx'
import { Mismatch, type MismatchDetails } from '../parts/contract/mismatch.tsx'
import { Icon } from '../parts/page/icons.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { Address, Hash } from '../parts/values/references.tsx'
import { Time } from '../parts/values/time.tsx'

export type VerifyJob = {
  readonly guid: string
  readonly address: string
  readonly isProxy: boolean
  readonly createdMs: number
  readonly endedMs: number | null
  readonly attempts: number
  readonly stages: readonly { readonly stage: string; readonly atMs: number }[]
  readonly outcome: JobResult | null
  /** Null for a job that does not wait. */
  readonly queue: { readonly position: number; readonly length: number } | null
}

type JobResult =
  | { readonly type: 'verified'; readonly match: 'exact' | 'partial'; readonly contract: string }
  | { readonly type: 'proxy'; readonly implementation: string }
  | { readonly type: 'failed'; readonly code: string; readonly message: string; readonly details: MismatchDetails }

export function VerifyJobPage({ shell, data: { job } }: PageProps<{ readonly job: VerifyJob }>) {
  return (
    <Layout shell={shell} title="Verification">
      <PageHead
        crumbs={[
          ['/contracts', 'Contracts'],
          ['/verify', 'Verify'],
        ]}
        title={job.isProxy ? 'Proxy verification' : 'Verification'}
      />
      <Facts>
        <Fact name="Contract">
          <Address address={job.address} isContract full />
        </Fact>
        <Fact name="Job">
          <Hash hash={job.guid} what="GUID" />
        </Fact>
        <Fact name="Submitted">
          <Time ms={String(job.createdMs)} shell={shell} />
        </Fact>
      </Facts>
      <JobProgress job={job} />
    </Layout>
  )
}

/** The part of the page that updates replace. */
export function JobProgress({ job }: { job: VerifyJob }) {
  const { outcome, stages } = job
  return (
    <div class="job" data-live-part={`job:${job.guid}`}>
      <Verdict job={job} />
      {outcome?.type === 'failed' && <Mismatch details={outcome.details} />}
      <section class="panel">
        <h2>Stages</h2>
        <ol class="steps">
          <Step word="submitted" sinceMs={0} state="done" />
          {stages.map(({ stage, atMs }, i) => (
            <Step
              key={`${atMs}-${stage}`}
              word={stage}
              sinceMs={atMs - job.createdMs}
              state={stage === 'failed' ? 'bad' : outcome === null && i === stages.length - 1 ? 'now' : 'done'}
            />
          ))}
        </ol>
      </section>
    </div>
  )
}

const ICONS = { done: 'check', now: 'clock', bad: 'cross' } as const

function Step({ word, sinceMs, state }: { word: string; sinceMs: number; state: keyof typeof ICONS }) {
  return (
    <li class={state}>
      <Icon name={ICONS[state]} />
      <span>{word}</span>
      {sinceMs > 0 && (
        <span class="unit">+{sinceMs < 10_000 ? `${sinceMs} ms` : `${(sinceMs / 1000).toFixed(1)} s`}</span>
      )}
    </li>
  )
}

function Verdict({ job: { outcome, address, guid, queue } }: { job: VerifyJob }) {
  if (outcome === null) {
    return (
      <p class="attested" role="status">
        <span class="badge preconfirmed">
          <Icon name="clock" />
          Pending
        </span>{' '}
        {queue && `Position ${queue.position} of ${queue.length} in the queue. `}
        <noscript>
          <a href={`/verify/${guid}`}>Reload</a>
        </noscript>
      </p>
    )
  }
  if (outcome.type === 'failed') {
    return (
      <>
        <p class="attested" role="status">
          <span class="badge failed">
            <Icon name="cross" />
            Not verified
          </span>
        </p>
        <p class="failure message">{outcome.message}</p>
        <p>
          <a href={`/verify?address=${address}`}>Try again</a>
        </p>
      </>
    )
  }
  return (
    <p class="attested" role="status">
      <span class="badge finalized">
        <Icon name="check" />
        Success
      </span>{' '}
      {outcome.type === 'verified' ? (
        <>
          <MatchBadge match={outcome.match} /> <span class="hex">{outcome.contract}</span>{' '}
          <a href={`/address/${address}?tab=contract`}>View the source code</a>
        </>
      ) : (
        <>
          Its implementation is <Address address={outcome.implementation} isContract />
        </>
      )}
    </p>
  )
}
