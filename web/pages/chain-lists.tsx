import type { AnswerPage } from '../../src/contract/pages.ts'
import { blockColumns, blockKeys, lineOf, transactionColumns, transactionKeys } from '../parts/chain/transactions.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { LiveHead, listPositionOf, Paging, Table } from '../parts/page/table.tsx'
import { Choices } from '../parts/page/tabs.tsx'
import { Amount } from '../parts/values/amount.tsx'
import { Address } from '../parts/values/references.tsx'

export type BlocksData = AnswerPage<'blockList'>

export function BlocksPage({ shell, data }: PageProps<BlocksData>) {
  const isFirst = data.page === '1'
  return (
    <Layout shell={shell} title="Blocks" about={`The latest blocks of ${shell.chain.fullName}`}>
      <PageHead title="Blocks" aside={isFirst && <LiveHead topic="blocks" />} />
      <Table
        caption="Blocks, newest first"
        columns={blockColumns(shell)}
        rows={data.blockList}
        {...blockKeys}
        empty="No blocks on this page."
        live={isFirst ? 'blocks' : undefined}
      />
      <Paging path={shell.path} position={listPositionOf(data)} exports="/export/blocks" />
    </Layout>
  )
}

export type TransactionsData = AnswerPage<'transactionList'>

export function TransactionsPage({ shell, data }: PageProps<TransactionsData>) {
  const isFirst = data.page === '1'
  return (
    <Layout shell={shell} title="Transactions" about={`The latest transactions of ${shell.chain.fullName}`}>
      <PageHead title="Transactions" aside={isFirst && <LiveHead topic="transactions" />}>
        <p class="summary">
          <a href="/txs/pending">Unconfirmed transactions</a> are in no block of the canonical chain yet.
        </p>
      </PageHead>
      <Table
        caption="Transactions, newest first"
        columns={transactionColumns(shell)}
        rows={data.transactionList.map(lineOf)}
        {...transactionKeys}
        empty="No transactions on this page."
        live={isFirst ? 'transactions' : undefined}
      />
      <Paging path={shell.path} position={listPositionOf(data)} exports="/export/transactions" />
    </Layout>
  )
}

export type UnconfirmedData = AnswerPage<'unconfirmedTransactionList'>

export function UnconfirmedPage({ shell, data }: PageProps<UnconfirmedData>) {
  return (
    <Layout shell={shell} title="Unconfirmed transactions">
      <PageHead title="Unconfirmed transactions" crumbs={[['/txs', 'Transactions']]}>
        <p class="summary">
          Transactions that wait in the pool of the node, then those that are preconfirmed in a block that is being
          built.
        </p>
        {!data.pendingComplete && <p class="note">Transactions may be missing: {data.pendingNote}.</p>}
      </PageHead>
      <Table
        caption="Unconfirmed transactions"
        columns={transactionColumns(shell)}
        rows={data.transactionList.map(lineOf)}
        {...transactionKeys}
        empty={data.pendingComplete ? 'No transaction is waiting.' : 'No waiting transaction is known.'}
      />
      <Paging path={shell.path} position={listPositionOf(data)} exports="/export/unconfirmed" />
    </Layout>
  )
}

export type AccountsData = AnswerPage<'nativeTokenPositionList'>

export function AccountsPage({ shell, data }: PageProps<AccountsData>) {
  return (
    <Layout shell={shell} title="Accounts">
      <PageHead title="Accounts">
        <p class="summary">Addresses with the largest {shell.chain.symbol} balances.</p>
        {!data.balancesExact && (
          <p class="note">Balances are being checked against the node: some may be old or missing.</p>
        )}
        {!data.balancesComplete && (
          <p class="note">
            Addresses may be missing: those of the genesis, or those that got {shell.chain.symbol} in calls that the
            node did not trace. The page of an address shows its balance in any case.
          </p>
        )}
      </PageHead>
      <Table
        caption="Accounts by balance"
        columns={[
          { name: 'Rank', cell: ({ rank }) => <span class="figure">{rank}</span> },
          { name: 'Address', cell: ({ address }) => <Address address={address} full /> },
          { name: 'Balance', isFigure: true, cell: ({ amount, symbol }) => <Amount value={amount} symbol={symbol} /> },
        ]}
        rows={data.positionList}
        keyOf={({ address }) => address}
        empty="No accounts on this page."
      />
      <Paging path={shell.path} position={listPositionOf(data)} exports="/export/accounts" />
    </Layout>
  )
}

export type LargeData = { readonly above: string; readonly list: AnswerPage<'largeTransactionList'> }

const THRESHOLDS = ['100', '1000', '10000', '100000']

export function LargePage({ shell, data: { above, list } }: PageProps<LargeData>) {
  return (
    <Layout shell={shell} title="Large transactions">
      <PageHead title="Large transactions">
        <p class="summary">
          Transactions that move more than {above} {shell.chain.symbol}, newest first.
        </p>
      </PageHead>
      <Choices
        label="More than"
        choices={THRESHOLDS.map((each) => [`/large?above=${each}`, `> ${each} ${shell.chain.symbol}`] as const)}
        current={`/large?above=${above}`}
      />
      <Table
        caption="Large transactions, newest first"
        columns={transactionColumns(shell)}
        rows={list.transactionList.map(lineOf)}
        keyOf={({ hash }) => hash}
        empty={`No transaction has moved more than ${above} ${shell.chain.symbol} at once.`}
      />
      <Paging path={shell.path} position={listPositionOf(list)} exports={`/export/large?above=${above}`} />
    </Layout>
  )
}
