import type { TransactionTab } from '../../../web/pages/transaction.tsx'
import type { DecodedWords, PageCallFrames, TransactionPreconfirmation } from '../../contract/pages.ts'
import { pendingTransaction } from './pending-transaction.ts'

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

const TOP_CALL = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
/** 0x and a selector. */
const SELECTOR_CHARS = 10
/** `Error(string)` and `Panic(uint256)`: the index has them as text. */
const INDEXED_ERRORS = ['0x08c379a0', '0x4e487b71']

export async function revertError(
  { node, answers }: Pick<Visit, 'node' | 'answers'>,
  { hash, to }: { hash: string; to: string },
): Promise<DecodedWords | undefined> {
  if (!node || to === '') return undefined
  const [traced] = await node.ask([['debug_traceTransaction', hash, TOP_CALL]])
  if (traced?.type !== 'result') return undefined
  const { output } = (traced.result ?? {}) as { output?: unknown }
  if (typeof output !== 'string' || output.length < SELECTOR_CHARS) return undefined
  if (INDEXED_ERRORS.includes(output.slice(0, SELECTOR_CHARS))) return undefined
  return answers.decoded.error(output, to)
}
