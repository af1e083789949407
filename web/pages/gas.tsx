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

/** What these usually take; a contract may take more. */
const ACTIONS = [
  ['Pay', 21_000],
  ['Send a token', 52_000],
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
    <Layout shell={shell} title="Gas" about={`The price of gas on ${shell.chain.fullName} now.`}>
      <PageHead title="Gas">
        <p class="summary">What the newest blocks and transactions paid, in gwei.</p>
      </PageHead>
      <dl class="figures">
        <Figure name="Base fee" value={baseFee === '' ? 'none' : gwei(baseFee)} />
        {tips && <Figure name="Tip, low (a tenth pays less)" value={gwei(tips.low)} />}
        {tips && <Figure name="Tip, usual" value={gwei(tips.usual)} />}
        {tips && <Figure name="Tip, high (a tenth pays more)" value={gwei(tips.high)} />}
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
          <h2>What common actions cost</h2>
        </header>
        <Table
          caption="What common actions cost"
          columns={[
            { name: 'Action', cell: ([name]) => name },
            { name: 'Gas, about', isFigure: true, cell: ([, gas]) => gas.toLocaleString('en') },
            {
              name: `Cost at the usual price, ${shell.chain.symbol}`,
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
          <h2>Newest blocks</h2>
        </header>
        <Table
          caption="Newest blocks"
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
          empty="No block yet."
        />
      </section>
    </Layout>
  )
}

/** Rough by nature: three digits. */
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
