// Calls to the node for one request or batch of a client. Calls of the same event loop round are sent in one batch. If the node
// refuses a call, the client gets the node's error code, message and data unchanged.

import { LRUCache } from 'lru-cache'
import { serverError } from '../../evm/call/call-failures.ts'
import { JsonRpcError, JsonText } from '../../lib/json/json-rpc.ts'
import type { Log } from '../../lib/log.ts'
import type { Answer, RpcCall } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { RequestWork } from './client-work.ts'
import { UNITS_PER_NODE_CALL } from './client-work.ts'

export type NodeCalls = {
  /** The node's result; throws the node's refusal. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
  /** For a question whose answer never changes once it is not null, such as a block by its hash. */
  askCached(method: string, params: readonly unknown[]): Promise<unknown>
}

export type NodeCallSources = {
  readonly node: Pick<Node, 'ask'>
  readonly nodeAnswers: NodeAnswerCache
  readonly log: Log
  readonly signal: AbortSignal
}

/** Answers of the node that never change, by method and parameters. */
export type NodeAnswerCache = LRUCache<string, JsonText>

const NODE_TIMEOUT_MS = 10_000
/** The cache takes a hundred megabytes at the very most. */
const MAX_CACHED_ANSWERS = 2_048
const MAX_CACHED_ANSWER_CHARS = 50_000

export function createNodeAnswerCache(): NodeAnswerCache {
  return new LRUCache({ max: MAX_CACHED_ANSWERS })
}

/** Calls on behalf of nobody are not charged. */
export function createNodeCalls(
  { node, nodeAnswers, log, signal }: NodeCallSources,
  work?: Pick<RequestWork, 'charge'>,
): NodeCalls {
  let queue: QueuedCall[] = []

  const send = async (): Promise<void> => {
    const sent = queue
    queue = []
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(NODE_TIMEOUT_MS)])
      const answers = await node.ask(
        sent.map(({ call }) => call),
        within,
      )
      for (const [index, queued] of sent.entries()) settle(queued, answers[index]!)
    } catch (error) {
      log.debug({ reason: (error as Error).message }, 'rpc: the node did not answer the call of a client')
      for (const { reject } of sent) reject(serverError(NODE_IS_SILENT))
    }
  }

  const ask = (method: string, params: readonly unknown[]): Promise<unknown> => {
    work?.charge(UNITS_PER_NODE_CALL)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (queue.length === 0) setImmediate(send)
    queue.push({ call: { method, params }, resolve, reject })
    return promise
  }

  return {
    ask,
    async askCached(method, params) {
      const key = `${method} ${JSON.stringify(params)}`
      const cached = nodeAnswers.get(key)
      if (cached !== undefined) return cached
      const result = await ask(method, params)
      if (result === null) return null
      const text = new JsonText(JSON.stringify(result))
      if (text.text.length <= MAX_CACHED_ANSWER_CHARS) nodeAnswers.set(key, text)
      return text
    },
  }
}

const NODE_IS_SILENT = 'the node does not answer'

/** Whether the node gave no answer at all. A refusal is one: it has no such tag or method. */
export function isNodeSilent(error: unknown): boolean {
  return error instanceof JsonRpcError && error.message === NODE_IS_SILENT
}

type QueuedCall = {
  readonly call: RpcCall
  resolve(result: unknown): void
  reject(error: JsonRpcError): void
}

function settle({ resolve, reject }: QueuedCall, answer: Answer): void {
  if (answer.type === 'result') resolve(answer.result)
  else reject(new JsonRpcError(answer.code, answer.message, answer.data))
}
