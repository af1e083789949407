import type { ComponentChildren } from 'preact'
import type { BlockItem, FlashblockItem, TransactionItem } from '../../src/contract/pages.ts'
import { blockKeys, GasBar, lineOf, type TransactionLine, transactionKeys } from '../parts/chain/transactions.tsx'
import { Layout, Search } from '../parts/page/layout.tsx'
import type { PageProps, PageShell } from '../parts/page/page-shell.ts'
import { type Column, LiveHead, Table } from '../parts/page/table.tsx'
import { PreconfirmationNotes } from '../parts/preconfirmations/feed-health.tsx'
import { FlashblockStrip } from '../parts/preconfirmations/flashblock-strip.tsx'
import { grouped, gweiFrom } from '../parts/text/numbers.ts'
import { Amount } from '../parts/values/amount.tsx'
import { Method } from '../parts/values/method.tsx'
import { Address, Block, Transaction } from '../parts/values/references.tsx'
import { StageBadge } from '../parts/values/stage.tsx'
import { Time } from '../parts/values/time.tsx'

export type HomeData = {
  readonly blocks: readonly BlockItem[]
  readonly transactions: readonly TransactionItem[]
  readonly figures: ChainFigures
  readonly flashblocks: readonly FlashblockItem[]
}

export type ChainFigures = {
  readonly height: string
  readonly safe: string
  readonly finalized: string
  /** Average over the last blocks; empty where there are too few. */
  readonly blockTimeMs: string
  readonly transactionsPerSecond: string
  /** Of the latest block, in native units. */
  readonly baseFee: string
}

export function HomePage({ shell, data }: PageProps<HomeData>) {
  return (
    <Layout shell={shell} title="Explorer" about={`Blocks and transactions of ${shell.chain.fullName}`} isHome>
      <section class="hero">
        <h1>{shell.chain.fullName}</h1>
        <Search value="" isLarge />
      </section>
      <Figures figures={data.figures} />
      <PreconfirmationNotes shell={shell} />
      <FlashblockStrip flashblocks={data.flashblocks} />
      <div class="columns">
        <section>
          <header class="section-head">
            <h2>
              <a href="/blocks">Blocks</a>
            </h2>
            <LiveHead topic="home-blocks" />
          </header>
          <Table
            caption="Latest blocks"
            columns={homeBlockColumns(shell)}
            rows={data.blocks}
            {...blockKeys}
            empty="No blocks yet."
            live="home-blocks"
            isCompact
          />
        </section>
        <section>
          <header class="section-head">
            <h2>
              <a href="/txs">Transactions</a>
            </h2>
            <LiveHead topic="home-transactions" />
          </header>
          <Table
            caption="Latest transactions"
            columns={homeTransactionColumns(shell)}
            rows={data.transactions.map(lineOf)}
            {...transactionKeys}
            empty="No transactions yet."
            live="home-transactions"
            isCompact
          />
        </section>
      </div>
    </Layout>
  )
}

export function homeBlockColumns(shell: PageShell): Column<BlockItem>[] {
  return [
    {
      name: 'Block',
      cell: ({ height, blockTime }) => (
        <Two>
          <Block height={height} />
          <Time ms={blockTime} shell={shell} />
        </Two>
      ),
    },
    {
      name: 'Transactions',
      isFigure: true,
      cell: ({ height, txnCount }) => <a href={`/block/${height}?tab=txs`}>{txnCount}</a>,
    },
    { name: 'Gas used', cell: ({ gasUsed, gasLimit }) => <GasBar used={gasUsed} limit={gasLimit} /> },
  ]
}

export function homeTransactionColumns(shell: PageShell): Column<TransactionLine>[] {
  return [
    {
      name: 'Transaction',
      cell: (line) => (
        <Two>
          <Transaction hash={line.hash} />
          {line.state === 'pending' ? (
            <StageBadge of={line} notes={shell.preconfirmationNotes} />
          ) : (
            <Time ms={line.timeMs} shell={shell} />
          )}
        </Two>
      ),
    },
    {
      name: 'From and to',
      cell: (line) => (
        <Two>
          <Address address={line.from} isContract={line.isFromContract} />
          <Address address={line.to || line.created} isContract={line.isToContract} />
        </Two>
      ),
    },
    {
      name: 'Value',
      isFigure: true,
      cell: (line) => (
        <Two>
          <Amount value={line.amount} symbol={line.symbol} />
          <span>
            <Method of={line} />
          </span>
        </Two>
      ),
    },
  ]
}

function Two({ children }: { children: ComponentChildren }) {
  return <div class="two">{children}</div>
}

/** The live topic `figures` replaces this element. */
export function Figures({ figures }: { figures: ChainFigures }) {
  return (
    <dl class="figures" data-live-part="figures" data-height={figures.height}>
      <Figure name="Latest block">
        <a href={`/block/${figures.height}`}>{grouped(figures.height)}</a>
      </Figure>
      <Figure name="Safe">{figures.safe === '' ? '–' : grouped(figures.safe)}</Figure>
      <Figure name="Finalized">{figures.finalized === '' ? '–' : grouped(figures.finalized)}</Figure>
      <Figure name="Block time">
        {figures.blockTimeMs === '' ? '–' : `${(Number(figures.blockTimeMs) / 1000).toFixed(2)} s`}
      </Figure>
      <Figure name="Transactions per second">{figures.transactionsPerSecond || '–'}</Figure>
      <Figure name="Base fee">
        {figures.baseFee === '' ? '–' : <Amount value={gweiFrom(figures.baseFee)} symbol="Gwei" />}
      </Figure>
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">{children}</dd>
    </div>
  )
}
