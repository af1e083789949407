import { Amount } from '../parts/amount.tsx'
import { Layout } from '../parts/layout.tsx'
import { grouped } from '../parts/numbers.ts'
import { PageHead } from '../parts/page-head.tsx'
import type { PageProps } from '../parts/page-shell.ts'
import { listPositionOf, type PageOf } from '../parts/records.ts'
import { Address, Token } from '../parts/references.tsx'
import { Paging, Table } from '../parts/table.tsx'
import { Choices } from '../parts/tabs.tsx'
import { Time } from '../parts/time.tsx'

export type TokensData = { readonly kind: string; readonly list: PageOf<'tokenList'> }

const KINDS = [
  ['/tokens', 'ERC-20', 'token_20'],
  ['/tokens?kind=token_721', 'ERC-721', 'token_721'],
  ['/tokens?kind=token_1155', 'ERC-1155', 'token_1155'],
] as const

export function TokensPage({ shell, data: { kind, list } }: PageProps<TokensData>) {
  return (
    <Layout shell={shell} title="Tokens">
      <PageHead title="Tokens" />
      <Choices
        label="Kind of token"
        choices={KINDS.map(([href, word]) => [href, word] as const)}
        current={KINDS.find(([, , each]) => each === kind)![0]}
      />
      <Table
        caption="Tokens"
        columns={[
          {
            name: 'Token',
            cell: ({ tokenContractAddress: address, token, tokenFullName }) => (
              <span class="named">
                <Token address={address} symbol={token} name={tokenFullName} />{' '}
                <span class="unit">{tokenFullName}</span>
              </span>
            ),
          },
          {
            name: 'Contract',
            cell: ({ tokenContractAddress }) => <Address address={tokenContractAddress} isContract />,
          },
          {
            name: 'Price',
            isFigure: true,
            cell: ({ price }) => (price === '' ? <span class="none">–</span> : <Amount value={price} symbol="USD" />),
          },
          {
            name: 'Supply',
            isFigure: true,
            cell: ({ totalSupply }) =>
              totalSupply === '' ? <span class="none">–</span> : <Amount value={totalSupply} symbol="" />,
          },
          { name: 'Holders', isFigure: true, cell: ({ addressCount }) => grouped(addressCount) },
          { name: 'Since', isExtra: true, cell: ({ issueDate }) => <Time ms={issueDate} shell={shell} /> },
        ]}
        rows={list.tokenList}
        keyOf={({ tokenContractAddress }) => tokenContractAddress}
        empty="No token of this kind has been seen yet."
      />
      <Paging path={shell.path} place={listPositionOf(list)} exports={`/export/tokens?kind=${kind}`} />
    </Layout>
  )
}
