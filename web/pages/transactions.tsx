import { Layout } from '../parts/layout.tsx'
import { lineOf, transactionColumns, transactionKeys } from '../parts/lists.tsx'
import { LiveHead } from '../parts/live-head.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { PageProps } from '../parts/page-shell.ts'
import { type PageOf, placeOf } from '../parts/records.ts'
import { Paging, Table } from '../parts/table.tsx'

export type TransactionsData = PageOf<'transactionList'>

export function TransactionsPage({ frame, data }: PageProps<TransactionsData>) {
  const isFirst = data.page === '1'
  return (
    <Layout frame={frame} title="Transactions" about={`The latest transactions of ${frame.chain.fullName}`}>
      <PageHead title="Transactions" aside={isFirst && <LiveHead topic="transactions" />} />
      <Table
        caption="Transactions, newest first"
        columns={transactionColumns(frame)}
        rows={data.transactionList.map(lineOf)}
        {...transactionKeys}
        empty="No transactions on this page."
        live={isFirst ? 'transactions' : undefined}
      />
      <Paging path={frame.path} place={placeOf(data)} exports="/export/transactions" />
    </Layout>
  )
}
