import type { Activity, ActivityPoint, ChartSpan } from '../../src/contract/pages.ts'
import { Chart } from '../parts/page/chart.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps, PageShell } from '../parts/page/page-shell.ts'
import { type Column, Table } from '../parts/page/table.tsx'
import { Choices } from '../parts/page/tabs.tsx'
import { compact, grouped, gweiFrom, percent, shortened } from '../parts/text/numbers.ts'
import { Time } from '../parts/values/time.tsx'

export type ChartsData = Activity & { readonly span: ChartSpan }

const CHOICES = [
  ['/charts', 'Minutes'],
  ['/charts?by=hour', 'Hours'],
  ['/charts?by=day', 'Days'],
] as const
const addresses = { minute: '/charts', hour: '/charts?by=hour', day: '/charts?by=day' } as const

export function ChartsPage({ shell, data: { span, points, isWhole } }: PageProps<ChartsData>) {
  const timesMs = points.map(({ startMs }) => startMs)
  const seriesOf = (of: (point: ActivityPoint) => number | null) => ({ timesMs, values: points.map(of) })
  return (
    <Layout shell={shell} title="Charts" about={`Activity of ${shell.chain.fullName} per ${span}.`}>
      <PageHead title="Activity">
        <p class="summary">
          Activity of the chain per {span}. The last {span} is not complete yet.
        </p>
        <Choices label="Periods" choices={CHOICES} current={addresses[span]} />
      </PageHead>
      {!isWhole && <p class="note">Older figures are still being computed; reload the page in a moment.</p>}
      <div class="charts">
        <Chart title={`Transactions per ${span}`} kind="bars" {...seriesOf((point) => point.transactions)} />
        <Chart title={`Gas used per ${span}`} kind="bars" {...seriesOf((point) => point.gasUsed)} />
        <Chart
          title="Base fee"
          unit="gwei"
          kind="line"
          {...seriesOf(({ baseFee }) => (baseFee === '' ? null : Number(gweiFrom(baseFee))))}
        />
        <Chart title="Active senders" kind="line" {...seriesOf((point) => point.senders)} />
      </div>
      <Table
        caption={`Activity per ${span}`}
        columns={columns(shell, span)}
        rows={points.toReversed()}
        keyOf={({ startMs }) => String(startMs)}
        empty="No blocks yet."
      />
    </Layout>
  )
}

function columns(shell: PageShell, span: string): Column<ActivityPoint>[] {
  return [
    { name: `Start of the ${span}`, cell: ({ startMs }) => <Time ms={String(startMs)} shell={shell} /> },
    { name: 'Blocks', isFigure: true, cell: ({ blocks }) => grouped(String(blocks)) },
    { name: 'Transactions', isFigure: true, cell: ({ transactions }) => grouped(String(transactions)) },
    {
      name: 'Gas used',
      isFigure: true,
      cell: ({ gasUsed, gasLimit }) => (
        <span title={grouped(String(gasUsed))}>
          {compact(gasUsed)} <span class="unit">{percent(gasUsed, gasLimit)}</span>
        </span>
      ),
    },
    {
      name: 'Base fee, gwei',
      isFigure: true,
      cell: ({ baseFee }) => (baseFee === '' ? <span class="none">none</span> : shortened(gweiFrom(baseFee), 6)),
    },
    {
      name: 'Senders',
      isFigure: true,
      cell: ({ senders }) => (senders === null ? <span class="none">not counted</span> : grouped(String(senders))),
    },
  ]
}
