import type { GasPrices } from '../../src/contract/pages.ts'
import { GasBar } from '../parts/chain/transactions.tsx'
import { Chart } from '../parts/page/chart.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { Table } from '../parts/page/table.tsx'
import { gweiFrom, shortened } from '../parts/text/numbers.ts'
import { Block } from '../parts/values/references.tsx'
import { Time } from '../parts/values/time.tsx'

const ROWS = 20

/** Typical gas; a contract may use more. */
const ACTIONS = [
  ['Transfer', 21_000],
  ['Token transfer', 52_000],
  ['Swap', 160_000],
  ['Deploy a token', 1_200_000],
] as const

function gwei(units: string): string {
  return shortened(gweiFrom(units), 6)
}

export function GasPage({ shell, data: { blocks, tips } }: PageProps<GasPrices>) {
  const [newest] = blocks
  const oldestFirst = blocks.toReversed()
  const timesMs = oldestFirst.map(({ timeMs }) => Number(timeMs))
  const baseFee = newest?.baseFee ?? ''
  const price = (Number(baseFee || 0) + Number(tips?.usual ?? 0)) * 1e9
  return (
    <Layout shell={shell} title="Gas prices" about={`Current gas prices of ${shell.chain.fullName}.`}>
      <PageHead title="Gas prices">
        <p class="summary">Gas prices of the latest blocks and transactions, in gwei.</p>
      </PageHead>
      <dl class="figures">
        <Figure name="Base fee" value={baseFee === '' ? 'none' : gwei(baseFee)} />
        {tips && <Figure name="Low tip (10th percentile)" value={gwei(tips.low)} />}
        {tips && <Figure name="Median tip" value={gwei(tips.usual)} />}
        {tips && <Figure name="High tip (90th percentile)" value={gwei(tips.high)} />}
      </dl>
      <div class="charts">
        <Chart
          title="Base fee"
          unit="gwei"
          kind="line"
          timesMs={timesMs}
          values={oldestFirst.map((block) => (block.baseFee === '' ? null : Number(gweiFrom(block.baseFee))))}
        />
        <Chart
          title="Gas used"
          unit="% of the limit"
          kind="bars"
          timesMs={timesMs}
          values={oldestFirst.map(({ gasUsed, gasLimit }) => (100 * Number(gasUsed)) / Number(gasLimit))}
        />
      </div>
      <section>
        <header class="section-head">
          <h2>Cost of common actions</h2>
        </header>
        <Table
          caption="Cost of common actions"
          columns={[
            { name: 'Action', cell: ([name]) => name },
            { name: 'Gas used (typical)', isFigure: true, cell: ([, gas]) => gas.toLocaleString('en') },
            {
              name: `Cost at the median gas price, ${shell.chain.symbol}`,
              isFigure: true,
              cell: ([, gas]) => costOf(gas, price),
            },
          ]}
          rows={ACTIONS}
          keyOf={([name]) => name}
          empty=""
        />
      </section>
      <section>
        <header class="section-head">
          <h2>Latest blocks</h2>
        </header>
        <Table
          caption="Latest blocks"
          columns={[
            { name: 'Block', cell: ({ height }) => <Block height={height} /> },
            { name: 'Time', cell: ({ timeMs }) => <Time ms={timeMs} shell={shell} /> },
            {
              name: 'Base fee, gwei',
              isFigure: true,
              cell: (block) => (block.baseFee === '' ? <span class="none">none</span> : gwei(block.baseFee)),
            },
            { name: 'Gas used', cell: ({ gasUsed, gasLimit }) => <GasBar used={gasUsed} limit={gasLimit} /> },
          ]}
          rows={blocks.slice(0, ROWS)}
          keyOf={({ height }) => height}
          empty="No blocks yet."
        />
      </section>
    </Layout>
  )
}

/** Three digits: the gas is only an estimate. */
function costOf(gas: number, priceGwei: number): string {
  const cost = (gas * priceGwei) / 1e9
  return cost === 0 ? '0' : Number(cost.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 18 })
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
