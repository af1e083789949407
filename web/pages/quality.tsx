import type { AnswerData, BrokenPreconfirmation, Latencies } from '../../src/contract/pages.ts'
import { Layout } from '../parts/page/layout.tsx'
import { Nothing, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps, PageShell } from '../parts/page/page-shell.ts'
import { Table } from '../parts/page/table.tsx'
import { Choices } from '../parts/page/tabs.tsx'
import { differenceValue, differenceWords } from '../parts/preconfirmations/block-diff.tsx'
import { type FeedHealth, FeedHealthPart } from '../parts/preconfirmations/feed-health.tsx'
import { LatencyHistogram } from '../parts/preconfirmations/latency-histogram.tsx'
import { grouped } from '../parts/text/numbers.ts'
import { Transaction } from '../parts/values/references.tsx'
import { Time } from '../parts/values/time.tsx'

type Quality = AnswerData<'preconfirmationQuality'>[number]

export type QualityData = {
  readonly window: string
  readonly windows: readonly Quality[]
  readonly latencies: Latencies
  /** Newest first. */
  readonly broken: readonly BrokenPreconfirmation[]
  readonly feed: FeedHealth | undefined
}

const CHOICES = [
  ['/quality', 'Last hour'],
  ['/quality?window=24h', 'Last day'],
  ['/quality?window=30d', 'Last 30 days'],
] as const
const addresses: Readonly<Record<string, string>> = {
  '1h': '/quality',
  '24h': '/quality?window=24h',
  '30d': '/quality?window=30d',
}

export function QualityPage({ shell, data }: PageProps<QualityData>) {
  const quality = data.windows.find(({ window }) => window === data.window)
  return (
    <Layout shell={shell} title="Quality" about="How well preconfirmations are kept, and how fast they are">
      <PageHead title="Quality of preconfirmations">
        <p class="summary">
          What flashblocks promised, against what the sealed blocks kept: place, status, gas and logs of every
          transaction.
        </p>
        <Choices label="Period" choices={CHOICES} current={addresses[data.window] ?? '/quality'} />
      </PageHead>
      {quality ? <Figures quality={quality} /> : <Nothing>Nothing was counted yet.</Nothing>}
      {quality && <LatencySection data={data} quality={quality} />}
      <section>
        <header class="section-head">
          <h2>Feed</h2>
        </header>
        <FeedHealthPart feed={data.feed} />
      </section>
      <Broken broken={data.broken} shell={shell} />
    </Layout>
  )
}

function Figures({ quality }: { quality: Quality }) {
  const figures: readonly (readonly [name: string, value: string])[] = [
    ['Kept', quality.keptPercent === '' ? '–' : `${quality.keptPercent} %`],
    ['Transactions kept', grouped(quality.kept)],
    ['Changed', grouped(quality.changed)],
    ['Dropped', grouped(quality.dropped)],
    ['Not announced', grouped(quality.unannounced)],
    ['Blocks', grouped(quality.blockCount)],
    ['Blocks that broke a promise', grouped(quality.brokenBlockCount)],
    ['Flashblocks', grouped(quality.flashblocksReceived)],
    ['Flashblocks missing', grouped(quality.flashblocksMissing)],
    ['Longest silence', `${grouped(quality.longestSilenceMs)} ms`],
  ]
  return (
    <dl class="figures tally">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="figure">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function LatencySection({ data: { latencies }, quality }: { data: QualityData; quality: Quality }) {
  return (
    <section>
      <header class="section-head">
        <h2>Latency</h2>
      </header>
      <div class="latencies">
        <LatencyHistogram
          title="From a flashblock to the sealed block"
          bars={latencies.preconfirmedToIncluded}
          quantiles={[
            quality.preconfirmedToIncludedP50Ms,
            quality.preconfirmedToIncludedP95Ms,
            quality.preconfirmedToIncludedP99Ms,
          ]}
          empty="Nothing was preconfirmed in this time."
        />
        <LatencyHistogram
          title="From our RPC to a flashblock"
          bars={latencies.seenToPreconfirmed}
          quantiles={[
            quality.seenToPreconfirmedP50Ms,
            quality.seenToPreconfirmedP95Ms,
            quality.seenToPreconfirmedP99Ms,
          ]}
          empty="Nobody sent a transaction through this service in this time."
        />
        <LatencyHistogram
          title="From our RPC to the sealed block"
          bars={latencies.seenToIncluded}
          quantiles={[quality.seenToIncludedP50Ms, quality.seenToIncludedP95Ms, quality.seenToIncludedP99Ms]}
          empty="Nobody sent a transaction through this service in this time."
        />
      </div>
    </section>
  )
}

function Broken({ broken, shell }: { broken: readonly BrokenPreconfirmation[]; shell: PageShell }) {
  return (
    <section>
      <header class="section-head">
        <h2>Broken promises</h2>
      </header>
      <Table
        caption="Broken promises, newest first"
        columns={[
          { name: 'Transaction', cell: ({ txId }) => <Transaction hash={txId} /> },
          { name: 'What', cell: ({ type }) => differenceWords[type] ?? type },
          { name: 'Promised', cell: ({ type, from }) => differenceValue(type, from) },
          { name: 'Sealed', cell: ({ type, to }) => differenceValue(type, to) },
          { name: 'Block', cell: ({ height }) => <a href={`/block/${height}?tab=diff`}>{height}</a> },
          { name: 'Time', cell: ({ timeMs }) => <Time ms={timeMs} shell={shell} /> },
        ]}
        rows={broken}
        keyOf={({ txId, type, height }) => `${txId}-${type}-${height}`}
        empty="None. Those that are broken are kept here for good."
      />
    </section>
  )
}
