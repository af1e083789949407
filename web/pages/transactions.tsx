import { Layout } from '../parts/layout.tsx'
import { lineOf, transactionColumns, transactionKeys } from '../parts/lists.tsx'
import { LiveHead } from '../parts/live-head.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { PageProps } from '../parts/page-shell.ts'
import { listPositionOf, type PageOf } from '../parts/records.ts'
import { Paging, Table } from '../parts/table.tsx'

export type TransactionsData = PageOf<'transactionList'>

export function TransactionsPage({ shell, data }: PageProps<TransactionsData>) {
  const isFirst = data.page === '1'
  return (
    <Layout shell={shell} title="Transactions" about={`The latest transactions of ${shell.chain.fullName}`}>
      <PageHead title="Transactions" aside={isFirst && <LiveHead topic="transactions" />} />
      <Table
        caption="Transactions, newest first"
        columns={transactionColumns(shell)}
        rows={data.transactionList.map(lineOf)}
        {...transactionKeys}
        empty="No transactions on this page."
        live={isFirst ? 'transactions' : undefined}
      />
      <Paging path={shell.path} place={listPositionOf(data)} exports="/export/transactions" />
    </Layout>
  )
}
