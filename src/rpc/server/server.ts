// E20: JSON-RPC text in, JSON-RPC text out. Every answer, a batch included, is built from one view of the pending chain (its scope).
//
// Value or promise: a result that needs no waiting stays a value on its way from `callAtTip` through `answerJsonRpc` and the channel to
// HTTP. Everywhere else methods are plain async functions.
import { serverError } from '../../evm/call/call-failures.ts'
import { answerJsonRpc, type JsonRpcError, type JsonRpcParams } from '../../lib/json/json-rpc.ts'
import type { RpcState } from '../state/rpc-state.ts'
import { openScope, type RpcConnection, type Scope } from '../state/scope.ts'
import { createTimeSlice } from '../state/time-slices.ts'
import { publishEvents } from '../subscriptions/publish-events.ts'
import { createSubscriptions } from '../subscriptions/subscriptions.ts'
import { createDispatch, rpcBug } from './dispatch.ts'

export type RpcServer = {
  /** Never throws. Without a `connection` the client cannot subscribe. */
  answer(text: string, connection?: RpcConnection): RpcAnswer | Promise<RpcAnswer>
  /** Ends what is under way; nothing is answered after it. */
  stop(): void
}

export type RpcAnswer = {
  /** Undefined if nothing is to be sent: the request was a notification. */
  readonly text: string | undefined
  /** The time since the pending chain last advanced, for the header `flashblocks-age-ms`; undefined before the first flashblock. */
  readonly ageMs: number | undefined
}

const MAX_BATCH = 1_000
const MAX_RESPONSE_CHARS = 50_000_000
const MAX_SUBSCRIPTIONS = 100
/** Calls of one batch that may wait for the node together. */
const MAX_CONCURRENT_CALLS = 100

export function createRpcServer(state: RpcState): RpcServer {
  const { pendingChain, log, limits, signal } = state
  const subscriptions = createSubscriptions(limits.maxSubscriptions ?? MAX_SUBSCRIPTIONS)
  const dispatch = createDispatch(subscriptions)
  publishEvents(state, subscriptions)

  const onBug = (error: unknown, method: string): JsonRpcError => {
    if (signal.aborted) return serverError('the service is stopping')
    const errorId = crypto.randomUUID()
    log.error({ errorId, method, error }, 'rpc: a method failed with a bug')
    return rpcBug(errorId)
  }

  return {
    answer(text, connection) {
      const slice = createTimeSlice()
      const { advancedMs } = pendingChain.view().snapshot
      let scope: Scope | undefined
      const answered = answerJsonRpc(
        {
          begin(requests: readonly unknown[]) {
            scope = openScope(state, requests, connection)
          },
          call(method: string, params: JsonRpcParams): unknown {
            const pause = slice.pauseIfUsedUp()
            return pause === undefined
              ? dispatch(scope!, method, params)
              : pause.then(() => dispatch(scope!, method, params))
          },
          onBug,
          maxBatch: limits.maxBatch ?? MAX_BATCH,
          maxResponseChars: limits.maxResponseChars ?? MAX_RESPONSE_CHARS,
          maxConcurrentCalls: MAX_CONCURRENT_CALLS,
        },
        text,
      )
      return answered instanceof Promise
        ? answered.then((answer) => withAge(answer, advancedMs))
        : withAge(answered, advancedMs)
    },
    stop: state.stop,
  }
}

function withAge(text: string | undefined, advancedMs: number | null): RpcAnswer {
  return { text, ageMs: advancedMs === null ? undefined : Math.max(0, Date.now() - advancedMs) }
}
