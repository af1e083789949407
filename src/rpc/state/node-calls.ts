// What is asked of the node for one request or batch of a client: calls made in one go travel in one exchange. The node's refusals are
// the client's answers, word for word.

import { createLru, type Lru } from '../../lib/cache/lru.ts'
import { JsonRpcError, JsonText } from '../../lib/json/json-rpc.ts'
import type { Log } from '../../lib/log.ts'
import type { Answer, RpcCall } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'
import { nodeSilent } from './failures.ts'

export type NodeCalls = {
  /** The node's result; throws what it refuses with. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
  /** The same for a question whose answer, once there is one, stays. */
  askCached(method: string, params: readonly unknown[]): Promise<unknown>
}

export type NodeCallDependencies = {
  readonly node: Pick<Node, 'ask'>
  readonly lasting: NodeAnswerCache
  readonly log: Log
  readonly signal: AbortSignal
}

export type NodeAnswerCache = Lru<string, JsonText>
export function createNodeAnswerCache(): NodeAnswerCache {
  return createLru(MAX_LASTING_ANSWERS)
}

export function createNodeCalls({ node, lasting, log, signal }: NodeCallDependencies): NodeCalls {
  let waiting: Waiting[] = []

  const send = async (): Promise<void> => {
    const sent = waiting
    waiting = []
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(NODE_TIMEOUT_MS)])
      const answers = await node.ask(
        sent.map(({ call }) => call),
        within,
      )
      for (const [at, { resolve, reject }] of sent.entries()) settle(answers[at]!, resolve, reject)
    } catch (error) {
      log.debug({ reason: (error as Error).message }, 'the node did not answer a client')
      for (const { reject } of sent) reject(nodeSilent())
    }
  }

  const ask = (method: string, params: readonly unknown[]): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (waiting.length === 0) setImmediate(send)
    waiting.push({ call: { method, params }, resolve, reject })
    return promise
  }

  return {
    ask,
    async askCached(method, params) {
      const key = `${method} ${JSON.stringify(params)}`
      const known = lasting.get(key)
      if (known !== undefined) return known
      const result = await ask(method, params)
      if (result === null) return null
      const text = new JsonText(JSON.stringify(result))
      if (text.text.length <= LONGEST_LASTING_ANSWER) lasting.set(key, text)
      return text
    },
  }
}

type Waiting = {
  readonly call: RpcCall
  resolve(result: unknown): void
  reject(error: JsonRpcError): void
}

function settle(answer: Answer, resolve: Waiting['resolve'], reject: Waiting['reject']): void {
  if (answer.type === 'result') resolve(answer.result)
  else reject(new JsonRpcError(answer.code, answer.message, answer.data))
}

const NODE_TIMEOUT_MS = 10_000
/** Together a hundred megabytes at the very most. */
const MAX_LASTING_ANSWERS = 2_048
const LONGEST_LASTING_ANSWER = 50_000
