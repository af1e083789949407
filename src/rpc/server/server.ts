// E20: JSON-RPC text in, JSON-RPC text out. Every answer, a batch included, is built from one view of the pending chain (its scope).
//
// Value or promise: a result that needs no waiting stays a value on its way from `callAtTip` through `answerJsonRpc` and the channel to
// HTTP. Everywhere else methods are plain async functions.
import { serverError } from '../../evm/call/call-failures.ts'
import { answerJsonRpc, errorText, type JsonRpcError, type JsonRpcParams } from '../../lib/json/json-rpc.ts'
import { type Caller, createRequestWork } from '../charging/request-work.ts'
import { balanceSpent, UNITS_PER_BYTE, type WorkBalance, type WorkLeft } from '../charging/work-balances.ts'
import type { RpcState } from '../state/rpc-state.ts'
import { openScope, type RpcConnection, type Scope } from '../state/scope.ts'
import { publishEvents } from '../subscriptions/publish-events.ts'
import { publishPool } from '../subscriptions/publish-pool.ts'
import { createSubscriptions } from '../subscriptions/subscriptions.ts'
import { createDispatch, rpcBug } from './dispatch.ts'

export type RpcServer = {
  /** Never throws. Without a `connection` the client cannot subscribe. */
  answer(text: string, caller: Caller, connection?: RpcConnection): RpcAnswer | Promise<RpcAnswer>
  /** Ends what is under way; nothing is answered after it. */
  stop(): void
}

export type RpcAnswer = {
  /** Undefined if nothing is to be sent: the request was a notification. */
  readonly text: string | undefined
  /** The time since the pending chain last advanced, for the header `flashblocks-age-ms`; undefined before the first flashblock. */
  readonly ageMs: number | undefined
  /** What the client has left; undefined without a limit. */
  readonly work: WorkLeft | undefined
}

const MAX_BATCH = 1_000
const MAX_RESPONSE_CHARS = 50_000_000
const MAX_SUBSCRIPTIONS = 100
/** Calls of one batch that may wait for the node together. */
const MAX_CONCURRENT_CALLS = 100
/** A longer request of a client whose balance is spent is refused without reading it. */
const MAX_REFUSED_CHARS = 10_000

export function createRpcServer(state: RpcState): RpcServer {
  const { pendingChain, log, limits, signal } = state
  const subscriptions = createSubscriptions(limits.maxSubscriptions ?? MAX_SUBSCRIPTIONS, state.balances)
  const dispatch = createDispatch(subscriptions)
  publishEvents(state, subscriptions)
  publishPool(state, subscriptions)

  const onBug = (error: unknown, method: string): JsonRpcError => {
    if (signal.aborted) return serverError('the service is stopping')
    const errorId = crypto.randomUUID()
    log.error({ errorId, method, error }, 'rpc: a method failed with a bug')
    return rpcBug(errorId)
  }

  const answerNow = (text: string, { caller, balance, connection }: Asked): RpcAnswer | Promise<RpcAnswer> => {
    const { advancedMs } = pendingChain.view().snapshot
    const work = createRequestWork(caller, { turns: state.turns, balance })
    let scope: Scope | undefined
    const finish = (answered: string | undefined): RpcAnswer => {
      if (answered !== undefined) balance.charge(answered.length * UNITS_PER_BYTE)
      return { text: answered, ageMs: ageSince(advancedMs), work: balance.left() }
    }
    const answered = answerJsonRpc(
      {
        begin(requests: readonly unknown[]) {
          scope = openScope(state, requests, { work, connection })
        },
        call(method: string, params: JsonRpcParams): unknown {
          const turn = work.beginCall()
          return turn === undefined
            ? dispatch(scope!, method, params)
            : turn.then(() => dispatch(scope!, method, params))
        },
        onBug,
        maxBatch: limits.maxBatch ?? MAX_BATCH,
        maxResponseChars: limits.maxResponseChars ?? MAX_RESPONSE_CHARS,
        maxConcurrentCalls: MAX_CONCURRENT_CALLS,
      },
      text,
    )
    return answered instanceof Promise ? answered.then(finish) : finish(answered)
  }

  return {
    answer(text, caller, connection) {
      const balance = state.balances.of(caller.client)
      if (balance.isSpent() && text.length > MAX_REFUSED_CHARS) return refusedUnread(balance)
      balance.charge(text.length * UNITS_PER_BYTE)
      let answer: RpcAnswer | Promise<RpcAnswer> | undefined
      let resolveLater: ((answer: RpcAnswer | Promise<RpcAnswer>) => void) | undefined
      state.turns.run(caller.client, () => {
        answer = answerNow(text, { caller, balance, connection })
        resolveLater?.(answer)
      })
      return (
        answer ??
        new Promise<RpcAnswer>((resolve) => {
          resolveLater = resolve
        })
      )
    },
    stop: state.stop,
  }
}

type Asked = {
  readonly caller: Caller
  readonly balance: WorkBalance
  readonly connection: RpcConnection | undefined
}

function ageSince(advancedMs: number | null): number | undefined {
  return advancedMs === null ? undefined : Math.max(0, Date.now() - advancedMs)
}

/** To read so long a text only to refuse what is in it would be work for nothing, so the refusal has no id. */
function refusedUnread(balance: WorkBalance): RpcAnswer {
  return { text: errorText(null, balanceSpent(balance)), ageMs: undefined, work: balance.left() }
}
