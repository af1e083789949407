// Executes calls in a thread of their own, so that no call delays a block.
import { serverError } from '../src/evm/call/call-failures.ts'
import { JsonRpcError, JsonText } from '../src/lib/json/json-rpc.ts'
import type { Log } from '../src/lib/log.ts'
import { startWorker } from '../src/lib/thread/start-worker.ts'
import type { CallsWorker } from './calls-worker.ts'
import type { DevnetChain } from './chain/chain.ts'
import { feedReplica } from './chain/replica.ts'
import { REPLAY_TIMEOUT_MS } from './rpc/executions.ts'
import { overLimit } from './rpc/failures.ts'
import type { Executions } from './rpc/method.ts'

export type CallsThread = Executions & { stop(): Promise<void> }

/** Contracts may call each other 1,024 deep. */
const STACK_MB = 32
const MAX_WAITING = 1_000
/** The worker answers at its own deadlines, unless one step of the EVM takes very long. */
const ANSWER_TIMEOUT_MS = 2 * REPLAY_TIMEOUT_MS

type Waiting = {
  readonly resolve: (result: JsonText) => void
  readonly reject: (error: JsonRpcError) => void
  readonly timer: NodeJS.Timeout
}

/** The chain must not have made a block yet if it is in memory only. */
export function startCallsThread(
  chain: DevnetChain,
  { callTimeoutMs, log }: { readonly callTimeoutMs: number; readonly log: Log },
): CallsThread {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  const settle = (id: number): Waiting | undefined => {
    const request = waiting.get(id)
    waiting.delete(id)
    clearTimeout(request?.timer)
    return request
  }
  const rejectAll = (reason: string): void => {
    for (const id of [...waiting.keys()]) settle(id)?.reject(serverError(reason))
  }
  const worker = startWorker<CallsWorker>({
    name: 'devnet calls',
    file: new URL('./calls-worker.ts', import.meta.url),
    input: { start: chain.replicaStart(), callTimeoutMs },
    log,
    resourceLimits: { stackSizeMb: STACK_MB },
    onMessage(answer) {
      if (answer.type === 'result') settle(answer.id)?.resolve(new JsonText(answer.text))
      else settle(answer.id)?.reject(new JsonRpcError(answer.code, answer.message, answer.data))
    },
    // A devnet that cannot execute calls is of no use: the error ends the thread of the chain too, which reports it.
    onDeath: (cause) => {
      rejectAll('calls cannot be executed any more')
      throw cause
    },
  })
  const endFeeding = feedReplica(chain, (update) => worker.post(update))

  return {
    execute(method, params) {
      if (waiting.size >= MAX_WAITING) return Promise.reject(overLimit(`at most ${MAX_WAITING} calls may wait`))
      const { promise, resolve, reject } = Promise.withResolvers<JsonText>()
      const id = ++lastId
      const timer = setTimeout(() => settle(id)?.reject(serverError('the call took too long')), ANSWER_TIMEOUT_MS)
      waiting.set(id, { resolve, reject, timer })
      worker.post({ type: 'call', id, method, params })
      return promise
    },
    async stop() {
      endFeeding()
      rejectAll('the devnet is stopping')
      // A call may be in the middle of its time.
      await worker.kill()
    },
  }
}
