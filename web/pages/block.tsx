import type { AnswerPage, BlockDetail, BlockPreconfirmations } from '../../src/contract/pages.ts'
import { IncompleteInternals } from '../parts/chain/incomplete-internals.tsx'
import { type InternalLine, internalColumns } from '../parts/chain/internals.tsx'
import { GasBar, type TransactionLine, transactionColumns } from '../parts/chain/transactions.tsx'
import { type TransferLine, transferColumns } from '../parts/chain/transfers.tsx'
import { UnknownFields } from '../parts/chain/unknown-fields.tsx'
import { Icon } from '../parts/page/icons.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, Nothing, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { listPositionOf, Paging, Table } from '../parts/page/table.tsx'
import { KindChoices, Tabs } from '../parts/page/tabs.tsx'
import { BlockDiff } from '../parts/preconfirmations/block-diff.tsx'
import { FlashblockTimeline } from '../parts/preconfirmations/flashblock-timeline.tsx'
import { Replay, type ReplayData } from '../parts/preconfirmations/replay.tsx'
import { counted, grouped } from '../parts/text/numbers.ts'
import { Amount, Gwei } from '../parts/values/amount.tsx'
import { Address, Hash } from '../parts/values/references.tsx'
import { Badge, type StageName } from '../parts/values/stage.tsx'
import { ExactTime } from '../parts/values/time.tsx'

/** Tabs with a list of what is in the block. */
export type BlockListTab = 'txs' | 'internal' | 'transfers'
export type BlockTab = 'overview' | BlockListTab | 'flashblocks' | 'diff'

export type BlockData = {
  readonly block: BlockDetail
  readonly stage: StageName
  readonly hasNext: boolean
  readonly tab: BlockTab
  /** Kind of token in the tab of token transfers. */
  readonly kind: string
  /** The list of the open tab, where that tab has one. */
  readonly list: { readonly tab: BlockListTab; readonly page: AnswerPage<'blockTransactionList'> } | undefined
  /** Undefined where no feed was followed at that time, or the record is older than what is stored. */
  readonly preconfirmations: BlockPreconfirmations | undefined
  /** Loaded for the tab of flashblocks only. */
  readonly replay: ReplayData | undefined
}

export function BlockPage({ shell, data }: PageProps<BlockData>) {
  const { block, tab } = data
  const base = `/block/${block.height}`
  return (
    <Layout
      shell={shell}
      title={`Block ${block.height}`}
      about={`${counted(block.txnCount, 'transaction')}, ${block.gasUsed} gas used`}
    >
      <PageHead
        crumbs={[['/blocks', 'Blocks']]}
        title={
          <>
            Block <span class="figure">{grouped(block.height)}</span>
          </>
        }
        aside={<Neighbours height={Number(block.height)} hasNext={data.hasNext} />}
      />
      <Tabs
        base={base}
        current={tab}
        tabs={[
          { id: 'overview', word: 'Overview' },
          { id: 'txs', word: 'Transactions', count: block.txnCount },
          { id: 'internal', word: 'Internal transactions', count: block.txnInternal },
          { id: 'transfers', word: 'Token transfers' },
          { id: 'flashblocks', word: 'Flashblocks', count: String(data.preconfirmations?.flashblocks.length ?? 0) },
          { id: 'diff', word: 'Preconfirmation check' },
        ]}
      />
      {tab === 'overview' && <Overview shell={shell} data={data} />}
      {data.list && (
        <BlockList shell={shell} tab={data.list.tab} kind={data.kind} list={data.list.page} height={block.height} />
      )}
      {(tab === 'flashblocks' || tab === 'diff') && <Preconfirmations shell={shell} data={data} tab={tab} />}
    </Layout>
  )
}

function Preconfirmations({ shell, data, tab }: PageProps<BlockData> & { tab: 'flashblocks' | 'diff' }) {
  const { preconfirmations, replay } = data
  if (!preconfirmations) {
    return (
      <Nothing>
        There is no preconfirmation record of this block. <a href="/about#words">Flashblocks</a> are stored for one day,
        and only while this server follows a feed.
      </Nothing>
    )
  }
  if (tab === 'diff') return <BlockDiff preconfirmations={preconfirmations} />
  if (!replay) return <Nothing>This block had no flashblocks, or they are no longer stored.</Nothing>
  return (
    <>
      <FlashblockTimeline preconfirmations={preconfirmations} current={replay.at.flashblockIndex} />
      <Replay shell={shell} replay={replay} />
    </>
  )
}

function Neighbours({ height, hasNext }: { height: number; hasNext: boolean }) {
  return (
    <nav class="neighbours" aria-label="Previous and next block">
      {height > 0 && (
        <a href={`/block/${height - 1}`} rel="prev" aria-label="Previous block" title="Previous block">
          <Icon name="left" />
        </a>
      )}
      {hasNext && (
        <a href={`/block/${height + 1}`} rel="next" aria-label="Next block" title="Next block">
          <Icon name="right" />
        </a>
      )}
    </nav>
  )
}

function Overview({ shell, data: { block, stage } }: PageProps<BlockData>) {
  const { feeSymbol } = block
  return (
    <Facts>
      <Fact name="Status">
        <Badge stage={stage} />{' '}
        <span class="unit">
          {grouped(block.confirm)} {block.confirm === '1' ? 'confirmation' : 'confirmations'}
        </span>
      </Fact>
      <Fact name="Time">
        <ExactTime ms={block.blockTime} shell={shell} />
      </Fact>
      <Fact name="Hash">
        <Hash hash={block.hash} what="block hash" />
      </Fact>
      <Fact name="Transactions">
        <a href={`/block/${block.height}?tab=txs`}>{block.txnCount}</a>
        {block.txnInternal !== '' && <span class="unit"> and {block.txnInternal} internal</span>}
      </Fact>
      <Fact name="Value transferred">
        <Amount value={block.amount} symbol={feeSymbol} full />
      </Fact>
      <Fact name="Fee recipient">
        <Address address={block.miner} full />
      </Fact>
      <Fact name="Gas used">
        <GasBar used={block.gasUsed} limit={block.gasLimit} />
      </Fact>
      <Fact name="Base fee per gas">
        <Gwei value={block.baseFeePerGas} />
      </Fact>
      <Fact name="Transaction fees">
        <Amount value={block.totalFee} symbol={feeSymbol} full />
      </Fact>
      <Fact name="Burnt fees">
        <Amount value={block.burnt} symbol={feeSymbol} full />
      </Fact>
      <Fact name="Size">
        <span class="figure">{grouped(block.blockSize)}</span> <span class="unit">bytes</span>
      </Fact>
      <Fact name="Transactions root">
        <Hash hash={block.merkleRootHash} what="transactions root" />
      </Fact>
      <UnknownFields json={block.unknownFields} />
    </Facts>
  )
}

type BlockListProps = { tab: BlockListTab; kind: string; list: AnswerPage<'blockTransactionList'>; height: string }

function BlockList({ shell, tab, kind, list, height }: BlockListProps & { shell: PageProps<unknown>['shell'] }) {
  const paging = (
    <Paging
      path={shell.path}
      position={listPositionOf(list)}
      exports={`/export/block-${tab}?height=${height}&kind=${kind}`}
    />
  )
  const lines = list.blockList.map((record, i) => ({
    ...record,
    key: `${record.txid}-${i}`,
    hash: record.txid,
    timeMs: record.transactionTime,
    symbol: record.transactionSymbol,
    fee: record.txfee,
    created: record.contractAddress,
    token: record.tokenContractAddress,
    operation: 'call',
  }))
  switch (tab) {
    case 'txs':
      return (
        <>
          <Table<TransactionLine>
            caption="Transactions of the block"
            columns={transactionColumns(shell).filter(({ name }) => !['Block', 'Time'].includes(name))}
            rows={lines}
            keyOf={({ hash }) => hash}
            empty="This block has no transactions."
          />
          {paging}
        </>
      )
    case 'internal':
      return (
        <>
          <Table<InternalLine>
            caption="Internal transactions of the block"
            columns={internalColumns(shell).filter(({ name }) => !['Block', 'Time', 'Type'].includes(name))}
            rows={lines}
            keyOf={({ key }) => key}
            empty={
              list.internalTransactionsComplete === false
                ? 'No internal transactions are known.'
                : 'This block has no internal transactions.'
            }
          />
          <IncompleteInternals isComplete={list.internalTransactionsComplete} of="this block" />
          {paging}
        </>
      )
    case 'transfers':
      return (
        <>
          <KindChoices base={`/block/${height}`} tab="transfers" kind={kind} />
          <Table<TransferLine>
            caption="Token transfers of the block"
            columns={transferColumns(shell).filter(({ name }) => name !== 'Time')}
            rows={lines}
            keyOf={({ key }) => key}
            empty="This block has no transfers of this kind of token."
          />
          {paging}
        </>
      )
  }
}
