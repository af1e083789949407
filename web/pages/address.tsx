import type { AnswerPage } from '../../src/contract/pages.ts'
import { AccountHeads, type HeadState } from '../parts/chain/account-heads.tsx'
import { IncompleteInternals } from '../parts/chain/incomplete-internals.tsx'
import { type InternalLine, internalColumns } from '../parts/chain/internals.tsx'
import { type TransactionLine, transactionColumns } from '../parts/chain/transactions.tsx'
import { type TransferLine, transferColumns } from '../parts/chain/transfers.tsx'
import { type ContractContent, ContractTab } from '../parts/contract/contract-tab.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps, PageShell } from '../parts/page/page-shell.ts'
import { listPositionOf, Paging, Table } from '../parts/page/table.tsx'
import { KindChoices, type Tab, Tabs } from '../parts/page/tabs.tsx'
import { grouped } from '../parts/text/numbers.ts'
import { Amount } from '../parts/values/amount.tsx'
import { BalanceMark } from '../parts/values/balance-source.tsx'
import { Address, Hash, Token, Transaction } from '../parts/values/references.tsx'
import { Time } from '../parts/values/time.tsx'

export type AddressTab = 'txs' | 'transfers' | 'internal' | 'tokens' | 'contract'

export type AddressData = {
  readonly information: AnswerPage<'addressInformation'>
  /** The address in the mixed case of EIP-55. */
  readonly checksummed: string
  /** Undefined where this server follows no node. */
  readonly heads: readonly HeadState[] | undefined
  readonly content: AddressContent
}

export type AddressContent =
  | { readonly tab: 'txs'; readonly list: AnswerPage<'addressTransactionList'> }
  | { readonly tab: 'transfers'; readonly kind: string; readonly list: AnswerPage<'tokenTransactionList'> }
  | { readonly tab: 'internal'; readonly list: AnswerPage<'internalTransactionList'> }
  | { readonly tab: 'tokens'; readonly kind: string; readonly list: AnswerPage<'addressTokenBalance'> }
  | ContractContent

export function AddressPage({ shell, data }: PageProps<AddressData>) {
  const { information, content, checksummed } = data
  const { address, contractAddress: isContract, contractCorrespondingToken: symbol } = information
  const tabs: Tab[] = [
    { id: 'txs', word: 'Transactions', count: grouped(information.transactionCount) },
    { id: 'transfers', word: 'Token transfers' },
    { id: 'internal', word: 'Internal transactions' },
    { id: 'tokens', word: 'Tokens' },
    ...(isContract ? [{ id: 'contract', word: 'Contract' }] : []),
  ]
  return (
    <Layout shell={shell} title={`${isContract ? 'Contract' : 'Address'} ${address.slice(0, 8)}…`}>
      <PageHead crumbs={[['/accounts', 'Accounts']]} title={isContract ? 'Contract' : 'Address'}>
        <p class="subject">
          <span class="face large" data-face={address} />
          <Hash hash={checksummed} what="address" />
          <span class="own-label" data-label-for={address} />
        </p>
        {symbol !== '' && (
          <p class="summary">
            This contract is the token <Token address={address} symbol={symbol} />
          </p>
        )}
      </PageHead>
      <Facts isBrief>
        <Fact name="Balance">
          {information.balance === '' ? (
            'not known yet'
          ) : (
            <Amount value={information.balance} symbol={information.balanceSymbol} full />
          )}
          {!information.balanceExact && <span class="note"> not checked against the node: it may have changed</span>}
        </Fact>
        {information.firstTransactionTime !== '' && (
          <Fact name="Active">
            from <Time ms={information.firstTransactionTime} shell={shell} /> to{' '}
            <Time ms={information.lastTransactionTime} shell={shell} />
          </Fact>
        )}
        {information.createContractAddress !== '' && (
          <Fact name="Created by">
            <Address address={information.createContractAddress} /> in{' '}
            <Transaction hash={information.createContractTransactionHash} />
          </Fact>
        )}
        {isContract && (
          <Fact name="Calls in 30 days">
            <span class="figure">{grouped(information.contractCalls)}</span>
          </Fact>
        )}
      </Facts>
      {data.heads && <AccountHeads heads={data.heads} symbol={shell.chain.symbol} />}
      <Tabs base={`/address/${address}`} tabs={tabs} current={content.tab} />
      <Content shell={shell} address={address} content={content} />
    </Layout>
  )
}

type ContentProps = { shell: PageShell; address: string; content: AddressContent }

function Content({ shell, address, content }: ContentProps) {
  const base = `/address/${address}`
  const file = (name: string, kind?: string) =>
    `/export/address-${name}?address=${address}${kind ? `&kind=${kind}` : ''}`
  switch (content.tab) {
    case 'txs':
      return (
        <>
          <Table<TransactionLine>
            caption="Transactions of the address, newest first"
            columns={transactionColumns(shell, address)}
            rows={content.list.transactionLists.map((record) => ({
              ...record,
              hash: record.txId,
              timeMs: record.transactionTime,
              created: record.contractAddress,
              symbol: record.transactionSymbol,
              fee: record.txFee,
            }))}
            keyOf={({ hash }) => hash}
            empty="This address has no transactions."
          />
          <Paging path={shell.path} position={listPositionOf(content.list)} exports={file('txs')} />
        </>
      )
    case 'transfers':
      return (
        <>
          <KindChoices base={base} tab="transfers" kind={content.kind} />
          <Table<TransferLine>
            caption="Token transfers of the address, newest first"
            columns={transferColumns(shell, address)}
            rows={content.list.transactionList.map((record, i) => ({
              ...record,
              key: `${record.txId}-${i}`,
              hash: record.txId,
              timeMs: record.transactionTime,
              token: record.tokenContractAddress,
            }))}
            keyOf={({ key }) => key}
            empty="This address has no transfers of this kind of token."
          />
          <Paging path={shell.path} position={listPositionOf(content.list)} exports={file('transfers', content.kind)} />
        </>
      )
    case 'internal':
      return (
        <>
          <Table<InternalLine>
            caption="Internal transactions of the address, newest first"
            columns={internalColumns(shell, address)}
            rows={content.list.transactionList.map((record, i) => ({
              ...record,
              key: `${record.txId}-${i}`,
              hash: record.txId,
              timeMs: record.transactionTime,
            }))}
            keyOf={({ key }) => key}
            empty={
              content.list.internalTransactionsComplete
                ? 'This address has no internal transactions.'
                : 'No internal transactions are known.'
            }
          />
          <IncompleteInternals isComplete={content.list.internalTransactionsComplete} of="this address" />
          <Paging path={shell.path} position={listPositionOf(content.list)} exports={file('internal')} />
        </>
      )
    case 'tokens':
      return (
        <>
          <KindChoices base={base} tab="tokens" kind={content.kind} />
          <Table
            caption="Token balances of the address"
            columns={[
              {
                name: 'Token',
                cell: ({ tokenContractAddress, symbol }) => <Token address={tokenContractAddress} symbol={symbol} />,
              },
              { name: 'Contract', cell: ({ tokenContractAddress: token }) => <Address address={token} isContract /> },
              { name: 'Id', cell: ({ tokenId }) => (tokenId === '' ? '–' : <span class="hex">{tokenId}</span>) },
              {
                name: 'Balance',
                isFigure: true,
                cell: (holding) => (
                  <>
                    <BalanceMark of={holding} /> <Amount value={holding.holdingAmount} symbol="" />
                  </>
                ),
              },
              {
                name: 'Value',
                isFigure: true,
                cell: ({ valueUsd }) => (valueUsd === '' ? '–' : <Amount value={valueUsd} symbol="USD" />),
              },
            ]}
            rows={content.list.tokenList}
            keyOf={({ tokenContractAddress, tokenId }) => `${tokenContractAddress}-${tokenId}`}
            empty="This address holds no tokens of this kind."
          />
          <Paging path={shell.path} position={listPositionOf(content.list)} exports={file('tokens', content.kind)} />
        </>
      )
    case 'contract':
      return <ContractTab shell={shell} address={address} content={content} />
  }
}
