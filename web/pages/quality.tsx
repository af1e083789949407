import type { AnswerData, BrokenPreconfirmation, Latencies } from '../../src/contract/pages.ts'
import { Layout } from '../parts/page/layout.tsx'
import { Nothing, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps, PageShell } from '../parts/page/page-shell.ts'
import { Table } from '../parts/page/table.tsx'
import { Choices } from '../parts/page/tabs.tsx'
import { differenceValue, differenceWords } from '../parts/preconfirmations/block-diff.tsx'
import { type FeedHealth, FeedHealthPart, PreconfirmationNotes } from '../parts/preconfirmations/feed-health.tsx'
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
    <Layout
      shell={shell}
      title="Preconfirmation quality"
      about="How many preconfirmations were kept, and how fast they were"
    >
      <PageHead title="Preconfirmation quality">
        <p class="summary">
          Each <a href="/about#words">preconfirmation</a> is compared with the sealed block: position, status, gas and
          logs of every transaction.
        </p>
        <PreconfirmationNotes shell={shell} />
        <Choices label="Period" choices={CHOICES} current={addresses[data.window] ?? '/quality'} />
      </PageHead>
      {quality ? <Figures quality={quality} /> : <Nothing>There are no figures yet.</Nothing>}
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
    ['Blocks with changed or dropped transactions', grouped(quality.brokenBlockCount)],
    ['Flashblocks', grouped(quality.flashblocksReceived)],
    ['Flashblocks missing', grouped(quality.flashblocksMissing)],
    ['Longest gap in the feed', `${grouped(quality.longestSilenceMs)} ms`],
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
          title="From flashblock to sealed block"
          bars={latencies.preconfirmedToIncluded}
          quantiles={[
            quality.preconfirmedToIncludedP50Ms,
            quality.preconfirmedToIncludedP95Ms,
            quality.preconfirmedToIncludedP99Ms,
          ]}
          empty="Nothing was preconfirmed in this period."
        />
        <LatencyHistogram
          title="From JSON-RPC to flashblock"
          bars={latencies.seenToPreconfirmed}
          quantiles={[
            quality.seenToPreconfirmedP50Ms,
            quality.seenToPreconfirmedP95Ms,
            quality.seenToPreconfirmedP99Ms,
          ]}
          empty="No transactions were sent through this server in this period."
        />
        <LatencyHistogram
          title="From JSON-RPC to sealed block"
          bars={latencies.seenToIncluded}
          quantiles={[quality.seenToIncludedP50Ms, quality.seenToIncludedP95Ms, quality.seenToIncludedP99Ms]}
          empty="No transactions were sent through this server in this period."
        />
      </div>
    </section>
  )
}

function Broken({ broken, shell }: { broken: readonly BrokenPreconfirmation[]; shell: PageShell }) {
  return (
    <section>
      <header class="section-head">
        <h2>Changed and dropped preconfirmations</h2>
      </header>
      <Table
        caption="Changed and dropped preconfirmations, newest first"
        columns={[
          { name: 'Transaction', cell: ({ txId }) => <Transaction hash={txId} /> },
          { name: 'Difference', cell: ({ type }) => differenceWords[type] ?? type },
          { name: 'Preconfirmed', cell: ({ type, from }) => differenceValue(type, from) },
          { name: 'Sealed', cell: ({ type, to }) => differenceValue(type, to) },
          { name: 'Block', cell: ({ height }) => <a href={`/block/${height}?tab=diff`}>{height}</a> },
          { name: 'Time', cell: ({ timeMs }) => <Time ms={timeMs} shell={shell} /> },
        ]}
        rows={broken}
        keyOf={({ txId, type, height }) => `${txId}-${type}-${height}`}
        empty="None. Changed and dropped preconfirmations stay in this list forever."
      />
    </section>
  )
}
