import type { AnswerPage, InventoryItem, ListPosition, TokenItem } from '../../src/contract/pages.ts'
import { type TransferLine, transferColumns } from '../parts/chain/transfers.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { listPositionOf, Paging, Table } from '../parts/page/table.tsx'
import { Tabs } from '../parts/page/tabs.tsx'
import { counted, grouped, percent } from '../parts/text/numbers.ts'
import { Amount } from '../parts/values/amount.tsx'
import { BalanceMark, BalanceSource } from '../parts/values/balance-source.tsx'
import { Address } from '../parts/values/references.tsx'
import { Time } from '../parts/values/time.tsx'

export type TokenTab = 'transfers' | 'holders' | 'inventory'

export type TokenContent =
  | { readonly tab: 'transfers'; readonly list: AnswerPage<'tokenTransferList'> }
  | { readonly tab: 'holders'; readonly list: AnswerPage<'tokenPositionList'> }
  | { readonly tab: 'inventory'; readonly items: readonly InventoryItem[]; readonly position: ListPosition }

export type TokenData = { readonly token: TokenItem; readonly content: TokenContent }

const STANDARDS: Readonly<Record<string, string>> = { token_20: 'ERC-20', token_721: 'ERC-721', token_1155: 'ERC-1155' }

export function TokenPage({ shell, data: { token, content } }: PageProps<TokenData>) {
  const address = token.tokenContractAddress
  const isFungible = token.protocolType === 'token_20'
  const name = token.tokenFullName || token.token || 'Unnamed token'
  return (
    <Layout
      shell={shell}
      title={`${token.token || name} token`}
      about={`${name}, ${counted(token.addressCount, 'holder')}`}
    >
      <PageHead
        crumbs={[['/tokens', 'Tokens']]}
        title={<span class="named">{name}</span>}
        aside={
          <span class="tag" title="Token standard">
            {STANDARDS[token.protocolType]}
          </span>
        }
      />
      <Facts isBrief>
        <Fact name="Symbol">{token.token === '' ? 'none' : token.token}</Fact>
        <Fact name="Contract">
          <Address address={address} isContract full />
        </Fact>
        <Fact name="Total supply">
          <Amount value={token.totalSupply} symbol={token.token} full />
        </Fact>
        {isFungible && (
          <Fact name="Decimals">
            <span class="figure">{token.precision}</span>
          </Fact>
        )}
        {token.price !== '' && (
          <Fact name="Price">
            <Amount value={token.price} symbol="USD" full />
          </Fact>
        )}
        {token.totalMarketCap !== '' && (
          <Fact name="Market cap">
            <Amount value={token.totalMarketCap} symbol="USD" full />
          </Fact>
        )}
        <Fact name="Holders">
          <span class="figure">{grouped(token.addressCount)}</span>
        </Fact>
        <Fact name="Balances">
          <BalanceSource of={token} />
        </Fact>
        <Fact name="First seen">
          <Time ms={token.issueDate} shell={shell} />
        </Fact>
      </Facts>
      <Tabs
        base={`/token/${address}`}
        current={content.tab}
        tabs={[
          { id: 'transfers', word: 'Transfers' },
          { id: 'holders', word: 'Holders', count: grouped(token.addressCount) },
          ...(isFungible ? [] : [{ id: 'inventory', word: 'Inventory' }]),
        ]}
      />
      <Content shell={shell} token={token} content={content} />
    </Layout>
  )
}

type ContentProps = { shell: PageProps<unknown>['shell']; token: TokenItem; content: TokenContent }

function Content({ shell, token, content }: ContentProps) {
  const address = token.tokenContractAddress
  switch (content.tab) {
    case 'transfers':
      return (
        <>
          <Table<TransferLine>
            caption="Transfers of the token, newest first"
            columns={transferColumns(shell)}
            rows={content.list.transactionList.map((record, i) => ({
              ...record,
              key: `${record.txid}-${i}`,
              hash: record.txid,
              timeMs: record.transactionTime,
              token: record.tokenContractAddress,
              symbol: record.transactionSymbol,
            }))}
            keyOf={({ key }) => key}
            empty="No transfers on this page."
          />
          <Paging
            path={shell.path}
            position={listPositionOf(content.list)}
            exports={`/export/token-transfers?token=${address}`}
          />
        </>
      )
    case 'holders':
      return (
        <>
          <Table
            caption="Holders by balance"
            columns={[
              { name: 'Rank', cell: ({ rank }) => <span class="figure">{rank}</span> },
              { name: 'Holder', cell: ({ holderAddress }) => <Address address={holderAddress} full /> },
              {
                name: 'Balance',
                isFigure: true,
                cell: (holder) => (
                  <>
                    {holder.balanceSource !== token.balanceSource && <BalanceMark of={holder} />}{' '}
                    <Amount value={holder.amount} symbol={token.token} />
                  </>
                ),
              },
              {
                name: 'Share of supply',
                isFigure: true,
                cell: ({ amount }) => <Share of={amount} supply={token.totalSupply} />,
              },
            ]}
            rows={content.list.positionList}
            keyOf={({ holderAddress }) => holderAddress}
            empty="This token has no holders."
          />
          <Paging
            path={shell.path}
            position={listPositionOf(content.list)}
            exports={`/export/token-holders?token=${address}`}
          />
        </>
      )
    case 'inventory':
      return (
        <>
          <Table
            caption="Items of the token"
            columns={[
              { name: 'Id', cell: ({ tokenId }) => <span class="hex">{tokenId}</span> },
              { name: 'Owner', cell: ({ owner }) => <Address address={owner} full /> },
              { name: 'Amount', isFigure: true, cell: ({ amount }) => <Amount value={amount} symbol="" /> },
            ]}
            rows={content.items}
            keyOf={({ tokenId, owner }) => `${tokenId}-${owner}`}
            empty="This token has no items."
          />
          <Paging path={shell.path} position={content.position} exports={`/export/token-inventory?token=${address}`} />
        </>
      )
  }
}

function Share({ of, supply }: { of: string; supply: string }) {
  if (supply === '' || Number(supply) === 0) return <span class="none">–</span>
  const part = Math.min(1, Number(of) / Number(supply))
  return (
    <span class="share">
      <meter min={0} max={1} value={part} aria-label="Share of the supply" />
      <span class="figure">{percent(part, 1)}</span>
    </span>
  )
}
