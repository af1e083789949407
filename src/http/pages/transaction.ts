import type { TransactionTab } from '../../../web/pages/transaction.tsx'
import type { PageCallFrames, TransactionPreconfirmation } from '../../contract/pages.ts'
import { pendingTransaction } from './pending-transaction.ts'
import { revertError } from './revert-error.ts'
import { stateChanges } from './state-changes.ts'
import { oneOf, type PageLoader, type Visit } from './visit.ts'

const TABS = ['overview', 'transfers', 'internal', 'logs', 'state', 'raw'] as const satisfies TransactionTab[]

export const transactionPage: PageLoader = async ({ ask, answers, node, params, query }) => {
  const hash = params.hash!.toLowerCase()
  const [{ data, truncated = false }, preconfirmation] = await Promise.all([
    ask('transactionFills', { txid: hash }),
    preconfirmationOf({ ask }, hash),
  ])
  const [transaction] = data
  if (!transaction || transaction.state === 'pending') {
    const pending = await pendingTransaction(node, { hash, isPreconfirmed: preconfirmation?.stage === 'preconfirmed' })
    return {
      page: 'pendingTransaction',
      data: { hash, preconfirmation, pending },
      status: preconfirmation || pending ? 200 : 404,
    }
  }
  const tab = oneOf(TABS, query.tab)
  const logs = await ask('logsByTransaction', { txId: hash })
  // The API returns the newest first; the page shows them in the order of execution.
  const inOrder = logs.data.toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex))
  const { calls, isTruncated, missing } = tab === 'internal' ? await answers.callsOf(hash) : NO_CALLS
  return {
    page: 'transaction',
    data: {
      transaction,
      preconfirmation,
      tab,
      logs: inOrder,
      events: tab === 'logs' ? await answers.decoded.logs(inOrder) : [],
      error:
        transaction.state === 'fail'
          ? await revertError({ node, answers }, { hash, to: transaction.outputDetails[0]?.outputHash ?? '' })
          : undefined,
      calls,
      missingCalls: missing,
      changes: tab === 'state' ? await stateChanges(node, hash) : undefined,
      isTruncated: truncated || isTruncated || logs.truncated === true,
    },
  }
}

const NO_CALLS: PageCallFrames = { calls: [], isTruncated: false, missing: undefined }

/** The preconfirmation record of a transaction. */
export async function preconfirmationOf(
  { ask }: Pick<Visit, 'ask'>,
  hash: string,
): Promise<TransactionPreconfirmation | undefined> {
  return (await ask('preconfirmationTransaction', { txId: hash })).data[0]
}
