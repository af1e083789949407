import type { TransactionPreconfirmation } from '../../src/contract/pages.ts'
import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps, PageShell } from '../parts/page/page-shell.ts'
import { Timeline } from '../parts/preconfirmations/timeline.tsx'
import { methodWord } from '../parts/text/methods.ts'
import { counted, grouped } from '../parts/text/numbers.ts'
import { Amount } from '../parts/values/amount.tsx'
import { Address, Hash } from '../parts/values/references.tsx'
import { Badge, type StageName, stages } from '../parts/values/stage.tsx'

/** A transaction that the transaction pool or a flashblock has, and no block yet. */
export type PendingFacts = {
  readonly from: string
  readonly to: string
  readonly created: string
  readonly amount: string
  readonly methodId: string
  readonly nonce: string
  readonly gasLimit: string
  /** Null until a flashblock contains it. */
  readonly outcome: { readonly hasFailed: boolean; readonly gasUsed: string; readonly logCount: string } | null
}

export type PendingTransactionData = {
  readonly hash: string
  readonly preconfirmation: TransactionPreconfirmation | undefined
  readonly pending: PendingFacts | undefined
}

/** A transaction that is in no block yet, or unknown. The page updates itself once that changes. */
export function PendingTransactionPage({ shell, data }: PageProps<PendingTransactionData>) {
  const { hash, preconfirmation, pending } = data
  return (
    <Layout shell={shell} title={`Transaction ${hash.slice(0, 12)}…`}>
      <PageHead
        crumbs={[['/txs', 'Transactions']]}
        title="Transaction"
        aside={
          preconfirmation && preconfirmation.stage in stages && <Badge stage={preconfirmation.stage as StageName} />
        }
      >
        <Hash hash={hash} what="transaction hash" />
        <Status preconfirmation={preconfirmation} isKnown={pending !== undefined} />
      </PageHead>
      <Timeline hash={hash} preconfirmation={preconfirmation} inclusion={undefined} shell={shell} />
      {pending && <PendingOverview shell={shell} pending={pending} />}
    </Layout>
  )
}

function Status({
  preconfirmation,
  isKnown,
}: {
  preconfirmation: TransactionPreconfirmation | undefined
  isKnown: boolean
}) {
  if (preconfirmation?.stage === 'dropped') {
    return (
      <p class="failure">
        <strong>Dropped after preconfirmation.</strong> It was preconfirmed for block{' '}
        {preconfirmation.preconfirmedHeight}, flashblock {preconfirmation.flashblockIndex}, but the sealed block does
        not contain it. A later block may still include it.
      </p>
    )
  }
  if (preconfirmation?.stage === 'preconfirmed') {
    return (
      <p class="summary">
        Preconfirmed in{' '}
        <a href={`/flashblock/${preconfirmation.preconfirmedHeight}/${preconfirmation.flashblockIndex}`}>
          flashblock {preconfirmation.flashblockIndex} of block {grouped(preconfirmation.preconfirmedHeight)}
        </a>
        ; the block is not sealed yet.
      </p>
    )
  }
  return (
    <p class="summary">
      {preconfirmation || isKnown
        ? 'Pending: no block contains this transaction yet. This page updates itself.'
        : 'Transaction not found: it is in no indexed block and in no flashblock. If it was just sent, it will appear on this page by itself.'}
    </p>
  )
}

function PendingOverview({ shell, pending }: { shell: PageShell; pending: PendingFacts }) {
  return (
    <Facts>
      <Fact name="From">
        <Address address={pending.from} full />
      </Fact>
      <Fact name={pending.to === '' ? 'Contract creation' : 'To'}>
        <Address address={pending.to || pending.created} full />
      </Fact>
      <Fact name="Value">
        <Amount value={pending.amount} symbol={shell.chain.symbol} full />
      </Fact>
      <Fact name="Method">
        <span class="method">{methodWord(pending)}</span>
      </Fact>
      {pending.outcome && (
        <Fact name="Preconfirmed status">
          {pending.outcome.hasFailed ? <Badge stage="failed" /> : 'Success'}{' '}
          <span class="unit">{counted(pending.outcome.logCount, 'log')}</span>
        </Fact>
      )}
      <Fact name={pending.outcome ? 'Gas used' : 'Gas limit'}>
        <span class="figure">{grouped(pending.outcome?.gasUsed ?? pending.gasLimit)}</span>{' '}
        {pending.outcome && <span class="unit">of {grouped(pending.gasLimit)}</span>}
      </Fact>
      <Fact name="Nonce">
        <span class="figure">{pending.nonce}</span>
      </Fact>
    </Facts>
  )
}
