import { Amount } from '../parts/amount.tsx'
import { type BlockPreconfirmations, FlashblockTimeline } from '../parts/film-strip.tsx'
import { type FlashblockLine, flashblockLineColumns } from '../parts/flashblock-lines.tsx'
import { Icon } from '../parts/icons.tsx'
import { Layout } from '../parts/layout.tsx'
import { grouped } from '../parts/numbers.ts'
import { Fact, Facts, PageHead } from '../parts/page-head.tsx'
import type { PageProps } from '../parts/page-shell.ts'
import type { Answered } from '../parts/records.ts'
import { Address, Block, Hash } from '../parts/references.tsx'
import { Table } from '../parts/table.tsx'
import { ExactTime } from '../parts/time.tsx'

export type FlashblockData = {
  readonly flashblock: Answered<'flashblockDetail'>[number]
  /** Of the same payload, itself among them. */
  readonly siblings: BlockPreconfirmations['flashblocks']
  /** Used by the block before it. */
  readonly gasBefore: string
  readonly isSealed: boolean
  readonly content: {
    readonly transactions: readonly FlashblockLine[]
    readonly balances: readonly { readonly address: string; readonly balance: string }[]
    readonly isTruncated: boolean
  }
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
