import type {
  DecodedWords,
  LogItem,
  PageCallFrame,
  TransactionDetail,
  TransactionPreconfirmation,
} from '../../src/contract/pages.ts'
import { CallTree } from '../parts/chain/call-tree.tsx'
import { Log } from '../parts/chain/log.tsx'
import { StateChangeList, type StateChanges } from '../parts/chain/state-changes.tsx'
import { Summary } from '../parts/chain/summary.tsx'
import { TransferAmount } from '../parts/chain/transfers.tsx'
import { UnknownFields } from '../parts/chain/unknown-fields.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, Nothing, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { Downloads } from '../parts/page/table.tsx'
import { Tabs } from '../parts/page/tabs.tsx'
import { Timeline } from '../parts/preconfirmations/timeline.tsx'
import { calledMethod, methodWord } from '../parts/text/methods.ts'
import { counted, grouped, percent } from '../parts/text/numbers.ts'
import { Amount, Gwei } from '../parts/values/amount.tsx'
import { Arguments, GuessTag } from '../parts/values/decoded.tsx'
import { Address, Block, Copy, Hash, Sides } from '../parts/values/references.tsx'
import { StageBadge } from '../parts/values/stage.tsx'
import { ExactTime } from '../parts/values/time.tsx'

export type TransactionTab = 'overview' | 'transfers' | 'internal' | 'logs' | 'state' | 'raw'

export type TransactionData = {
  readonly transaction: TransactionDetail
  readonly preconfirmation: TransactionPreconfirmation | undefined
  readonly tab: TransactionTab
  readonly logs: readonly LogItem[]
  /** Decoded logs, in the order of `logs`; empty where the tab of logs is closed. */
  readonly events: readonly (DecodedWords | undefined)[]
  /** The custom error that the call reverted with. */
  readonly error: DecodedWords | undefined
  /** There are more logs or call frames than are shown. */
  readonly isTruncated: boolean
  /** Why internal transactions are missing; undefined where all are known. */
  readonly missingCalls: string | undefined
  readonly calls: readonly PageCallFrame[]
  /** Loaded for the tab of state changes only. */
  readonly changes: StateChanges | undefined
}

const TYPES: Readonly<Record<string, string>> = {
  0: 'Legacy',
  1: 'Access list (EIP-2930)',
  2: 'Dynamic fee (EIP-1559)',
  3: 'Blob (EIP-4844)',
  4: 'Set code (EIP-7702)',
  126: 'Deposit from layer 1',
}

/** The error text of a node where the contract gave no reason. */
const NO_REASON = 'execution reverted'

export function TransactionPage({ shell, data }: PageProps<TransactionData>) {
  const { transaction, tab } = data
  const { tokenTransferDetails, contractDetails } = transaction
  return (
    <Layout shell={shell} title={`Transaction ${transaction.txid.slice(0, 12)}…`}>
      <PageHead crumbs={[['/txs', 'Transactions']]} title="Transaction" aside={<StageBadge of={transaction} />}>
        <Hash hash={transaction.txid} what="transaction hash" />
        <Summary transaction={transaction} />
        {transaction.errorLog !== '' && !(data.error && transaction.errorLog === NO_REASON) && (
          <p class="failure">
            <strong>Reverted:</strong> {transaction.errorLog}
          </p>
        )}
        {data.error && (
          <div class="failure">
            <strong>Reverted: {data.error.name}</strong> {data.error.isGuess && <GuessTag />}
            <Arguments of={data.error.arguments} />
          </div>
        )}
      </PageHead>
      <Timeline hash={transaction.txid} preconfirmation={data.preconfirmation} inclusion={transaction} shell={shell} />
      <Tabs
        base={`/tx/${transaction.txid}`}
        current={tab}
        tabs={[
          { id: 'overview', word: 'Overview' },
          { id: 'transfers', word: 'Token transfers', count: String(tokenTransferDetails.length) },
          { id: 'internal', word: 'Internal transactions', count: String(contractDetails.length) },
          { id: 'logs', word: 'Logs', count: String(data.logs.length) },
          { id: 'state', word: 'State changes' },
          { id: 'raw', word: 'Raw' },
        ]}
      />
      <TransactionTabs shell={shell} data={data} />
      {data.missingCalls !== undefined && (
        <p class="note">Not all internal transactions of this transaction are known: {data.missingCalls}</p>
      )}
      {data.isTruncated && <p class="note">This page does not show everything; the API returns the complete data.</p>}
    </Layout>
  )
}

function TransactionTabs({ shell, data }: PageProps<TransactionData>) {
  const { transaction, tab, logs, calls } = data
  const downloads = (
    <div class="paging">
      <Downloads href={`/export/tx-${tab}?hash=${transaction.txid}`} />
    </div>
  )
  switch (tab) {
    case 'overview':
      return <Overview shell={shell} transaction={transaction} />
    case 'transfers':
      return transaction.tokenTransferDetails.length === 0 ? (
        <Nothing>This transaction transferred no tokens.</Nothing>
      ) : (
        <>
          <Transfers transaction={transaction} />
          {downloads}
        </>
      )
    case 'internal':
      return calls.length <= 1 ? (
        <Nothing>
          {data.missingCalls === undefined
            ? 'This transaction has no internal transactions.'
            : 'No internal transactions are known.'}
        </Nothing>
      ) : (
        <>
          <CallTree frames={calls} symbol={shell.chain.symbol} />
          {downloads}
        </>
      )
    case 'logs':
      return logs.length === 0 ? (
        <Nothing>This transaction emitted no logs.</Nothing>
      ) : (
        <>
          <ol class="logs">
            {logs.map((log, i) => (
              <Log key={log.logIndex} log={log} event={data.events[i]} />
            ))}
          </ol>
          {downloads}
        </>
      )
    case 'state':
      return data.changes ? <StateChangeList changes={data.changes} symbol={shell.chain.symbol} /> : null
    case 'raw':
      return <Raw transaction={transaction} />
  }
}

function Overview({ shell, transaction }: { shell: PageProps<unknown>['shell']; transaction: TransactionDetail }) {
  const [input] = transaction.inputDetails
  const [output] = transaction.outputDetails
  const symbol = transaction.transactionSymbol
  return (
    <Facts>
      <Fact name="Block">
        <Block height={transaction.height} />{' '}
        <span class="unit">
          position {transaction.index}, {counted(transaction.confirm, 'confirmation')}
        </span>
      </Fact>
      <Fact name="Time">
        <ExactTime ms={transaction.transactionTime} shell={shell} />
      </Fact>
      <Fact name="From">
        <Address address={input?.inputHash ?? ''} isContract={input?.isContract} full />
      </Fact>
      <Fact name={output?.outputHash ? 'To' : 'Contract creation'}>
        <Address
          address={output?.outputHash || transaction.contractAddress}
          isContract={output?.isContract ?? true}
          full
        />
      </Fact>
      <Fact name="Value">
        <Amount value={transaction.amount} symbol={symbol} full />
      </Fact>
      <Fact name="Method">
        <span class="method">
          {calledMethod(transaction) || methodWord({ methodId: '', to: output?.outputHash ?? '' })}
        </span>
        {transaction.decodedInput.map(({ method, isGuess, arguments: list }) => (
          <div key={method}>
            {isGuess && <GuessTag />}
            <Arguments of={list} />
          </div>
        ))}
      </Fact>
      <Fact name="Transaction fee">
        <Amount value={transaction.txfee} symbol={symbol} full />
      </Fact>
      <Fact name="Gas used">
        <span class="figure">{grouped(transaction.gasUsed)}</span>{' '}
        <span class="unit">
          of {grouped(transaction.gasLimit)} ({percent(Number(transaction.gasUsed), Number(transaction.gasLimit))})
        </span>
      </Fact>
      <Fact name="Gas price">
        <Gwei value={transaction.gasPrice} />
      </Fact>
      <Fact name="Transaction type">
        {TYPES[transaction.transactionType] ?? `Type ${transaction.transactionType} (of this chain)`}
      </Fact>
      <Fact name="Nonce">
        <span class="figure">{transaction.nonce}</span>
      </Fact>
      <UnknownFields json={transaction.unknownFields} />
    </Facts>
  )
}

function Transfers({ transaction }: { transaction: TransactionDetail }) {
  return (
    <ol class="movements">
      {transaction.tokenTransferDetails.map((transfer) => (
        <li key={transfer.index}>
          <TransferAmount
            line={{
              ...transfer,
              key: transfer.index,
              hash: transaction.txid,
              timeMs: '',
              token: transfer.tokenContractAddress,
              name: transfer.token,
            }}
          />
          <Sides {...transfer} />
        </li>
      ))}
    </ol>
  )
}

function Raw({ transaction }: { transaction: TransactionDetail }) {
  return (
    <section class="raw">
      <h2>
        Input data <Copy text={transaction.inputData} what="input data" />
      </h2>
      <Scroll label="Input data">{transaction.inputData}</Scroll>
      <h2>All fields</h2>
      <Scroll label="All fields">
        {JSON.stringify(
          { ...transaction, inputData: undefined, tokenTransferDetails: undefined, contractDetails: undefined },
          null,
          2,
        )}
      </Scroll>
    </section>
  )
}

/** Has a tab index, so that the keyboard can scroll it. */
function Scroll({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what has the focus
    <section aria-label={label} tabIndex={0} class="scroll">
      <pre>{children}</pre>
    </section>
  )
}
