import { Layout } from '../parts/layout.tsx'
import { lineOf, transactionColumns } from '../parts/lists.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { PageProps } from '../parts/page-shell.ts'
import { listPositionOf, type PageOf } from '../parts/records.ts'
import { Paging, Table } from '../parts/table.tsx'
import { Choices } from '../parts/tabs.tsx'

export type LargeData = { readonly above: string; readonly list: PageOf<'largeTransactionList'> }

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
      <Paging path={shell.path} place={listPositionOf(list)} exports={`/export/large?above=${above}`} />
    </Layout>
  )
}
