import type {
  AnswerData,
  AnswerPage,
  BlockPreconfirmations,
  FlashblockContent,
  FlashblockItem,
} from '../../src/contract/pages.ts'
import { Icon } from '../parts/page/icons.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps, PageShell } from '../parts/page/page-shell.ts'
import { type Column, LiveHead, listPositionOf, Paging, Table } from '../parts/page/table.tsx'
import { flashblockLineColumns } from '../parts/preconfirmations/flashblock-lines.tsx'
import { FlashblockTimeline } from '../parts/preconfirmations/flashblock-timeline.tsx'
import { grouped } from '../parts/text/numbers.ts'
import { Amount } from '../parts/values/amount.tsx'
import { Address, Block, Hash } from '../parts/values/references.tsx'
import { ExactTime, Time } from '../parts/values/time.tsx'

export type FlashblocksData = AnswerPage<'flashblockList'>

export function FlashblocksPage({ shell, data }: PageProps<FlashblocksData>) {
  const isFirst = data.page === '1'
  return (
    <Layout shell={shell} title="Flashblocks" about={`The latest flashblocks of ${shell.chain.fullName}`}>
      <PageHead title="Flashblocks" aside={isFirst && <LiveHead topic="flashblock-list" />}>
        <p class="summary">
          <a href="/about#words">Flashblocks</a> are parts of the block that is being built. They are stored for one
          day. Whether sealed blocks keep what they announce is shown under{' '}
          <a href="/quality">preconfirmation quality</a>.
        </p>
      </PageHead>
      <Table
        caption="Flashblocks, newest first"
        columns={flashblockColumns(shell)}
        rows={data.flashblockList}
        {...flashblockKeys}
        empty="No flashblocks are stored. Perhaps this server follows no feed."
        live={isFirst ? 'flashblock-list' : undefined}
      />
      <Paging path={shell.path} position={listPositionOf(data)} exports="/export/flashblocks" />
    </Layout>
  )
}

export const flashblockKeys = {
  keyOf: ({ height, attempt, flashblockIndex }: FlashblockItem): string => `${height}-${attempt}-${flashblockIndex}`,
  versionOf: ({ hash }: FlashblockItem): string => hash,
}

export function flashblockColumns(shell: PageShell): Column<FlashblockItem>[] {
  return [
    {
      name: 'Flashblock',
      cell: ({ height, flashblockIndex }) => (
        <a class="figure" href={`/flashblock/${height}/${flashblockIndex}`}>
          {height} / {flashblockIndex}
        </a>
      ),
    },
    { name: 'Block', cell: ({ height }) => <Block height={height} /> },
    { name: 'Received', cell: ({ receivedTime }) => <Time ms={receivedTime} shell={shell} /> },
    { name: 'Transactions', isFigure: true, cell: ({ txnCount }) => txnCount },
    { name: 'Gas used by the block so far', isFigure: true, cell: ({ gasUsed }) => grouped(gasUsed) },
    { name: 'Payload', isExtra: true, cell: ({ payloadId }) => <span class="hex">{payloadId}</span> },
  ]
}

export type FlashblockData = {
  readonly flashblock: AnswerData<'flashblockDetail'>[number]
  /** All flashblocks of the same payload, this one included. */
  readonly siblings: BlockPreconfirmations['flashblocks']
  /** Gas that the block had used before this flashblock. */
  readonly gasBefore: string
  readonly isSealed: boolean
  readonly content: FlashblockContent
}

export function FlashblockPage({ shell, data }: PageProps<FlashblockData>) {
  const { flashblock, siblings, content } = data
  const { height, flashblockIndex: index } = flashblock
  const { symbol } = shell.chain
  return (
    <Layout shell={shell} title={`Flashblock ${index} of block ${height}`}>
      <PageHead
        crumbs={[
          ['/flashblock', 'Flashblocks'],
          [`/block/${height}?tab=flashblocks`, `Block ${height}`],
        ]}
        title={
          <>
            Flashblock <span class="figure">{index}</span>
          </>
        }
        aside={<Neighbours height={height} siblings={siblings} index={Number(index)} />}
      />
      <FlashblockTimeline
        preconfirmations={{ height, flashblocks: siblings, includedTime: '', txnCount: '' }}
        current={index}
      />
      <Facts>
        <Fact name="Block">
          {data.isSealed ? <Block height={height} /> : <span class="figure">{height}</span>}{' '}
          <span class="unit">{data.isSealed ? 'sealed' : 'not sealed yet'}</span>
        </Fact>
        <Fact name="Received">
          <ExactTime ms={flashblock.receivedTime} shell={shell} />
        </Fact>
        <Fact name="Gas used">
          <span class="figure">{grouped(String(Number(flashblock.gasUsed) - Number(data.gasBefore)))}</span>{' '}
          <span class="unit">of {grouped(flashblock.gasUsed)} used by the block so far</span>
        </Fact>
        <Fact name="Hash so far">
          <Hash hash={flashblock.hash} what="hash" />
        </Fact>
        <Fact name="Payload">
          <Hash hash={flashblock.payloadId} what="payload id" />
        </Fact>
      </Facts>
      <section>
        <header class="section-head">
          <h2>Transactions</h2>
        </header>
        <Table
          caption="Transactions of the flashblock"
          columns={flashblockLineColumns(symbol)}
          rows={content.transactions}
          keyOf={({ hash }) => hash}
          empty="This flashblock adds no transactions."
        />
      </section>
      {content.balances.length > 0 && (
        <section>
          <header class="section-head">
            <h2>Balances after this flashblock</h2>
          </header>
          <Table
            caption="Balances that the flashblock changed"
            columns={[
              { name: 'Address', cell: ({ address }) => <Address address={address} /> },
              { name: 'Balance', isFigure: true, cell: ({ balance }) => <Amount value={balance} symbol={symbol} /> },
            ]}
            rows={content.balances}
            keyOf={({ address }) => address}
            empty=""
          />
        </section>
      )}
      {content.isTruncated && (
        <p class="note">This page does not show everything; the API returns the complete flashblock.</p>
      )}
    </Layout>
  )
}

type NeighboursProps = { height: string; siblings: BlockPreconfirmations['flashblocks']; index: number }

/** Links to the flashblocks before and after this one in the same payload. */
function Neighbours({ height, siblings, index }: NeighboursProps) {
  const indexes = siblings.map(({ flashblockIndex }) => Number(flashblockIndex))
  const before = indexes.findLast((each) => each < index)
  const after = indexes.find((each) => each > index)
  return (
    <nav class="neighbours" aria-label="Previous and next flashblock">
      {before !== undefined && (
        <a
          href={`/flashblock/${height}/${before}`}
          rel="prev"
          aria-label="Previous flashblock"
          title="Previous flashblock"
        >
          <Icon name="left" />
        </a>
      )}
      {after !== undefined && (
        <a href={`/flashblock/${height}/${after}`} rel="next" aria-label="Next flashblock" title="Next flashblock">
          <Icon name="right" />
        </a>
      )}
    </nav>
  )
}
