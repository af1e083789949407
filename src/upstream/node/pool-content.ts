// The transaction pool of the node: its whole content where the node shows it and it is not too large, and transactions by hash.
import type { Hex } from '../../chain/bytes/hex.ts'
import { asObject, isPresent, numberOf, RpcFieldError } from '../../chain/rpc/fields.ts'
import { type PoolTransaction, poolTransactionFromRpc } from '../../chain/rpc/pool-transaction.ts'
import type { Answer } from './json-rpc.ts'
import type { Node } from './node.ts'

/** Of a larger pool nothing is read: the answer would be tens of megabytes. */
export const MOST_POOL_TRANSACTIONS = 2_000

export type PoolContent =
  | { readonly type: 'content'; readonly transactions: readonly PoolTransaction[] }
  | { readonly type: 'hidden'; readonly reason: string }

/** Throws what `ask` throws where the node does not answer at all. */
export async function poolContent(node: Pick<Node, 'ask'>, signal: AbortSignal): Promise<PoolContent> {
  const [status] = await node.ask([{ method: 'txpool_status', params: [] }], signal)
  if (status?.type !== 'result') return hidden(status)
  const { size, problem } = sizeIn(status.result)
  if (problem !== undefined) return { type: 'hidden', reason: problem }
  if (size === 0) return { type: 'content', transactions: [] }
  if (size > MOST_POOL_TRANSACTIONS) {
    const reason = `the pool of the node has ${size} transactions, and of more than ${MOST_POOL_TRANSACTIONS} none is read`
    return { type: 'hidden', reason }
  }
  const [content] = await node.ask([{ method: 'txpool_content', params: [] }], signal)
  return content?.type === 'result' ? contentFrom(content.result) : hidden(content)
}

export type FoundByHash =
  /** In the pool. */
  | { readonly type: 'waiting'; readonly transaction: PoolTransaction }
  | { readonly type: 'included' }
  | { readonly type: 'unknown' }
  /** The node refused, or gave something that cannot be read. */
  | { readonly type: 'unanswered' }

/** In the order of the hashes. */
export async function poolTransactions(
  node: Pick<Node, 'ask'>,
  hashes: readonly Hex[],
  signal: AbortSignal,
): Promise<FoundByHash[]> {
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
  return (await node.ask(calls, signal)).map((answer, i) => foundIn(answer, hashes[i]!))
}

function foundIn(answer: Answer, hash: Hex): FoundByHash {
  if (answer.type !== 'result') return { type: 'unanswered' }
  if (answer.result === null || answer.result === undefined) return { type: 'unknown' }
  try {
    const raw = asObject(answer.result, 'transaction')
    if (isPresent(raw, 'blockNumber')) return { type: 'included' }
    const transaction = poolTransactionFromRpc(raw)
    return transaction.hash === hash ? { type: 'waiting', transaction } : { type: 'unanswered' }
  } catch (error) {
    if (error instanceof RpcFieldError) return { type: 'unanswered' }
    throw error
  }
}

function hidden(answer: Answer | undefined): PoolContent {
  const words = answer?.type === 'refused' ? `: ${answer.message}` : ''
  return { type: 'hidden', reason: `the node does not show its pool${words}` }
}

function sizeIn(status: unknown): { readonly size: number; readonly problem?: string } {
  try {
    const counts = asObject(status, 'status of the pool')
    const queued = isPresent(counts, 'queued') ? numberOf(counts, 'queued') : 0
    return { size: numberOf(counts, 'pending') + queued }
  } catch (error) {
    if (!(error instanceof RpcFieldError)) throw error
    return { size: 0, problem: `the status of the node's pool cannot be read: ${error.message}` }
  }
}

/** `pending` and `queued`, each by sender and nonce. */
function contentFrom(content: unknown): PoolContent {
  try {
    const { pending = {}, queued = {} } = asObject(content, 'content of the pool')
    const transactions = [
      ...transactionsIn(pending).map((each) => ({ ...poolTransactionFromRpc(each), isQueued: false })),
      ...transactionsIn(queued).map((each) => ({ ...poolTransactionFromRpc(each), isQueued: true })),
    ]
    return { type: 'content', transactions: transactions.slice(0, MOST_POOL_TRANSACTIONS) }
  } catch (error) {
    if (!(error instanceof RpcFieldError)) throw error
    return { type: 'hidden', reason: `the pool of the node cannot be read: ${error.message}` }
  }
}

function transactionsIn(bySender: unknown): unknown[] {
  return Object.values(asObject(bySender, 'transactions by sender')).flatMap((byNonce) =>
    Object.values(asObject(byNonce, 'transactions by nonce')),
  )
}
