import type { TransactionPreconfirmation } from '../../src/contract/pages.ts'
import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps, PageShell } from '../parts/page/page-shell.ts'
import { Timeline } from '../parts/preconfirmations/timeline.tsx'
import { methodWord } from '../parts/text/methods.ts'
import { grouped } from '../parts/text/numbers.ts'
import { Amount } from '../parts/values/amount.tsx'
import { Address, Hash } from '../parts/values/references.tsx'
import { Badge, type StageName, stages } from '../parts/values/stage.tsx'

/** What the pool or a flashblock tells of a transaction before any block has it. */
export type PendingFacts = {
  readonly from: string
  readonly to: string
  readonly created: string
  readonly amount: string
  readonly methodId: string
  readonly nonce: string
  readonly gasLimit: string
  /** Null until a flashblock has executed it. */
  readonly outcome: { readonly hasFailed: boolean; readonly gasUsed: string; readonly logCount: string } | null
}

export type PendingTransactionData = {
  readonly hash: string
  readonly account: TransactionPreconfirmation | undefined
  readonly pending: PendingFacts | undefined
}

/** A transaction that is in no block yet, or that nobody has heard of: the page goes on by itself once it is. */
export function PendingTransactionPage({ shell, data }: PageProps<PendingTransactionData>) {
  const { hash, account, pending } = data
  return (
    <Layout shell={shell} title={`Transaction ${hash.slice(0, 12)}…`}>
      <PageHead
        crumbs={[['/txs', 'Transactions']]}
        title="Transaction"
        aside={account && account.stage in stages && <Badge stage={account.stage as StageName} />}
      >
        <Hash hash={hash} what="transaction hash" />
        <Standing account={account} isKnown={pending !== undefined} />
      </PageHead>
      <Timeline hash={hash} account={account} inclusion={undefined} shell={shell} />
      {pending && <PendingOverview shell={shell} pending={pending} />}
    </Layout>
  )
}

function Standing({ account, isKnown }: { account: TransactionPreconfirmation | undefined; isKnown: boolean }) {
  if (account?.stage === 'dropped') {
    return (
      <p class="failure">
        <strong>Dropped after preconfirmation.</strong> It was promised for block {account.preconfirmedHeight},
        flashblock {account.flashblockIndex}, and the sealed block came without it. It may still come in a later one.
      </p>
    )
  }
  if (account?.stage === 'preconfirmed') {
    return (
      <p class="summary">
        Preconfirmed in{' '}
        <a href={`/flashblock/${account.preconfirmedHeight}/${account.flashblockIndex}`}>
          flashblock {account.flashblockIndex} of block {grouped(account.preconfirmedHeight)}
        </a>
        ; the block is not sealed yet.
      </p>
    )
  }
  return (
    <p class="summary">
      {account || isKnown
        ? 'Not in a block yet. Its steps appear here as they are taken.'
        : 'No block of the indexed chain has this transaction, and no flashblock announced it. One that was just sent appears here by itself.'}
    </p>
  )
}

function PendingOverview({ shell, pending }: { shell: PageShell; pending: PendingFacts }) {
  return (
    <Facts>
      <Fact name="From">
        <Address address={pending.from} full />
      </Fact>
      <Fact name={pending.to === '' ? 'Creates' : 'To'}>
        <Address address={pending.to || pending.created} full />
      </Fact>
      <Fact name="Amount">
        <Amount value={pending.amount} symbol={shell.chain.symbol} full />
      </Fact>
      <Fact name="Method">
        <span class="method">{methodWord(pending)}</span>
      </Fact>
      {pending.outcome && (
        <Fact name="Outcome so far">
          {pending.outcome.hasFailed ? <Badge stage="failed" /> : 'Successful'}{' '}
          <span class="unit">
            {pending.outcome.logCount} {pending.outcome.logCount === '1' ? 'log' : 'logs'}
          </span>
        </Fact>
      )}
      <Fact name="Gas">
        <span class="figure">{grouped(pending.outcome?.gasUsed ?? pending.gasLimit)}</span>{' '}
        <span class="unit">{pending.outcome ? `used of ${grouped(pending.gasLimit)}` : 'at most'}</span>
      </Fact>
      <Fact name="Nonce">
        <span class="figure">{pending.nonce}</span>
      </Fact>
    </Facts>
  )
}
