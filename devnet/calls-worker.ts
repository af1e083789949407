// The program of the worker that executes calls: it has a replica of the chain, which follows the blocks that the chain's thread makes.
import { onFallback } from '../src/chain/bytes/secp256k1.ts'
import { loadPrecompiles } from '../src/evm/precompiles/table.ts'
import { INTERNAL_ERROR, JsonRpcError, type JsonRpcParams } from '../src/lib/json/json-rpc.ts'
import { runWorker } from '../src/lib/thread/run-worker.ts'
import type { ReplicaStart } from './chain/load-chain.ts'
import { createReplica, type ReplicaUpdate } from './chain/replica.ts'
import { createExecutions } from './rpc/executions.ts'
import { executingMethods } from './rpc/methods/table.ts'

export type CallsWorker = {
  readonly input: { readonly start: ReplicaStart; readonly callTimeoutMs: number }
  readonly ready: never
  /** The worker gets updates and calls in the order in which they were posted, so a call sees every block before it. */
  readonly toWorker: ReplicaUpdate | CallRequest
  readonly fromWorker: CallAnswer
}

type CallRequest = {
  readonly type: 'call'
  readonly id: number
  readonly method: string
  readonly params: JsonRpcParams
}

type CallAnswer =
  /** The result as JSON. */
  | { readonly type: 'result'; readonly id: number; readonly text: string }
  | {
      readonly type: 'error'
      readonly id: number
      readonly code: number
      readonly message: string
      readonly data: unknown
    }

/** Precompiles work without the fast curve libraries, only slower, so loading them can wait until the rest of the process is up. */
const LOAD_CURVES_AFTER_MS = 5_000

await runWorker<CallsWorker>(async ({ input, log, post, onMessage, stopRequested }) => {
  onFallback((error) => log.warn({ error }, 'the native secp256k1 does not load: signatures take 25 times as long'))
  const replica = createReplica(input.start, log)
  const { execute } = createExecutions(executingMethods, replica.chain, input.callTimeoutMs)
  const answer = async ({ id, method, params }: CallRequest): Promise<CallAnswer> => {
    try {
      return { type: 'result', id, text: (await execute(method, params)).text }
    } catch (error) {
      const known = error instanceof JsonRpcError ? error : internalError(error, method)
      return { type: 'error', id, code: known.code, message: known.message, data: known.data }
    }
  }
  const internalError = (error: unknown, method: string) => {
    log.error({ method, error }, 'a call of the devnet failed')
    return new JsonRpcError(INTERNAL_ERROR, 'internal error')
  }
  onMessage((message) => {
    if (message.type === 'call') void answer(message).then(post)
    else replica.apply(message)
  })
  setTimeout(loadPrecompiles, LOAD_CURVES_AFTER_MS).unref()
  await stopRequested
})
