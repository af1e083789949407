import { Amount } from '../parts/amount.tsx'
import { Layout } from '../parts/layout.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { PageProps } from '../parts/page-shell.ts'
import { listPositionOf, type PageOf } from '../parts/records.ts'
import { Address } from '../parts/references.tsx'
import { Paging, Table } from '../parts/table.tsx'

export type AccountsData = PageOf<'nativeTokenPositionList'>

export function AccountsPage({ shell, data }: PageProps<AccountsData>) {
  return (
    <Layout shell={shell} title="Accounts">
      <PageHead title="Accounts">
        <p class="summary">Addresses by their balance of {shell.chain.symbol}.</p>
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
        empty="No account on this page."
      />
      <Paging path={shell.path} place={listPositionOf(data)} exports="/export/accounts" />
    </Layout>
  )
}
