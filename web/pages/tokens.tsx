import type { AnswerPage } from '../../src/contract/pages.ts'
import { Layout } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { listPositionOf, Paging, Table } from '../parts/page/table.tsx'
import { Choices } from '../parts/page/tabs.tsx'
import { grouped } from '../parts/text/numbers.ts'
import { Amount } from '../parts/values/amount.tsx'
import { Address, Token } from '../parts/values/references.tsx'
import { Time } from '../parts/values/time.tsx'

export type TokensData = { readonly kind: string; readonly list: AnswerPage<'tokenList'> }

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
            name: 'Total supply',
            isFigure: true,
            cell: ({ totalSupply }) =>
              totalSupply === '' ? <span class="none">–</span> : <Amount value={totalSupply} symbol="" />,
          },
          { name: 'Holders', isFigure: true, cell: ({ addressCount }) => grouped(addressCount) },
          { name: 'First seen', isExtra: true, cell: ({ issueDate }) => <Time ms={issueDate} shell={shell} /> },
        ]}
        rows={list.tokenList}
        keyOf={({ tokenContractAddress }) => tokenContractAddress}
        empty="There are no tokens of this kind yet."
      />
      <Paging path={shell.path} position={listPositionOf(list)} exports={`/export/tokens?kind=${kind}`} />
    </Layout>
  )
}
