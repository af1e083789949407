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
          The slices of each block, as the feed preconfirmed them. They are kept for a day; how well they are kept is on{' '}
          <a href="/quality">quality</a>.
        </p>
      </PageHead>
      <Table
        caption="Flashblocks, newest first"
        columns={flashblockColumns(shell)}
        rows={data.flashblockList}
        {...flashblockKeys}
        empty="No flashblock is known: is a feed followed?"
        live={isFirst ? 'flashblock-list' : undefined}
      />
      <Paging path={shell.path} place={listPositionOf(data)} exports="/export/flashblocks" />
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
    { name: 'Gas of the block so far', isFigure: true, cell: ({ gasUsed }) => grouped(gasUsed) },
    { name: 'Payload', isExtra: true, cell: ({ payloadId }) => <span class="hex">{payloadId}</span> },
  ]
}

export type FlashblockData = {
  readonly flashblock: AnswerData<'flashblockDetail'>[number]
  /** Of the same payload, itself among them. */
  readonly siblings: BlockPreconfirmations['flashblocks']
  /** Used by the block before it. */
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
      <FlashblockTimeline account={{ height, flashblocks: siblings, includedTime: '', txnCount: '' }} current={index} />
      <Facts>
        <Fact name="Block">
          {data.isSealed ? <Block height={height} /> : <span class="figure">{height}</span>}{' '}
          <span class="unit">{data.isSealed ? 'sealed' : 'not sealed yet'}</span>
        </Fact>
        <Fact name="Received">
          <ExactTime ms={flashblock.receivedTime} shell={shell} />
        </Fact>
        <Fact name="Gas">
          <span class="figure">{grouped(String(Number(flashblock.gasUsed) - Number(data.gasBefore)))}</span>{' '}
          <span class="unit">of {grouped(flashblock.gasUsed)} that the block used so far</span>
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
          caption="Transactions that it adds"
          columns={flashblockLineColumns(symbol)}
          rows={content.transactions}
          keyOf={({ hash }) => hash}
          empty="This flashblock adds no transaction."
        />
      </section>
      {content.balances.length > 0 && (
        <section>
          <header class="section-head">
            <h2>Balances after it</h2>
          </header>
          <Table
            caption="Balances that it changed"
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
      {content.isTruncated && <p class="note">There is more in it than this page shows; the API has all of it.</p>}
    </Layout>
  )
}

type NeighboursProps = { height: string; siblings: BlockPreconfirmations['flashblocks']; index: number }

/** In the same payload. */
function Neighbours({ height, siblings, index }: NeighboursProps) {
  const places = siblings.map(({ flashblockIndex }) => Number(flashblockIndex))
  const before = places.findLast((each) => each < index)
  const after = places.find((each) => each > index)
  return (
    <nav class="neighbours" aria-label="Neighbouring flashblocks">
      {before !== undefined && (
        <a href={`/flashblock/${height}/${before}`} rel="prev" aria-label="Flashblock before" title="Flashblock before">
          <Icon name="left" />
        </a>
      )}
      {after !== undefined && (
        <a href={`/flashblock/${height}/${after}`} rel="next" aria-label="Flashblock after" title="Flashblock after">
          <Icon name="right" />
        </a>
      )}
    </nav>
  )
}
