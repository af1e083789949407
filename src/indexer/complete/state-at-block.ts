// Reads state after a block from the node.
import { fromQuantity, type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import { type Answer, isMissingState } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'

export type StateQuery = { readonly height: number } & (
  | { readonly type: 'balance'; readonly address: Hex }
  | { readonly type: 'code'; readonly address: Hex }
  | { readonly type: 'nonce'; readonly address: Hex }
  | { readonly type: 'call'; readonly address: Hex; readonly input: Hex }
)

export type NodeAccess = { readonly node: Pick<Node, 'batch'>; readonly signal: AbortSignal }

/** In order; null where the node refuses or has pruned that state. */
export async function readStateAt(
  { node, signal }: NodeAccess,
  queries: readonly StateQuery[],
): Promise<(Hex | null)[]> {
  if (queries.length === 0) return []
  const answers = await node.batch(
    queries.map((query) => rpcCall(query)),
    signal,
  )
  return answers.map(hexIn)
}

/** As `readStateAt`, but where the state is pruned the latest state is read instead. For values that hardly ever change. */
export async function readStateAtOrLatest(access: NodeAccess, queries: readonly StateQuery[]): Promise<(Hex | null)[]> {
  if (queries.length === 0) return []
  const answers = [
    ...(await access.node.batch(
      queries.map((query) => rpcCall(query)),
      access.signal,
    )),
  ]
  const pruned = answers.flatMap((answer, index) =>
    answer.type === 'refused' && isMissingState(answer) ? [index] : [],
  )
  if (pruned.length > 0) {
    const again = await access.node.batch(
      pruned.map((index) => rpcCall(queries[index]!, 'latest')),
      access.signal,
    )
    for (const [at, index] of pruned.entries()) answers[index] = again[at]!
  }
  return answers.map(hexIn)
}

/** The hash of the node's block at a height; null if it has none. */
export async function hashAt({ node, signal }: NodeAccess, height: number): Promise<Hex | null> {
  const [answer] = await node.batch([{ method: 'eth_getBlockByNumber', params: [toQuantity(height), false] }], signal)
  return answer?.type === 'result' ? ((answer.result as { hash: Hex } | null)?.hash ?? null) : null
}

export function weiFrom(answer: Hex | null): bigint | null {
  return answer === null || answer === '0x' ? null : fromQuantity(answer)
}

function rpcCall(query: StateQuery, tag: unknown = toQuantity(query.height)) {
  switch (query.type) {
    case 'balance':
      return { method: 'eth_getBalance', params: [query.address, tag] }
    case 'code':
      return { method: 'eth_getCode', params: [query.address, tag] }
    case 'nonce':
      return { method: 'eth_getTransactionCount', params: [query.address, tag] }
    case 'call':
      return { method: 'eth_call', params: [{ to: query.address, data: query.input }, tag] }
  }
}

function hexIn(answer: Answer): Hex | null {
  return answer.type === 'result' && typeof answer.result === 'string' && answer.result.startsWith('0x')
    ? (answer.result as Hex)
    : null
}
