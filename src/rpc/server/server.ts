// E20: JSON-RPC text in, JSON-RPC text out. Every answer, a batch included, is built from one view of the pending chain (its scope).
// The parameters of a method are checked against the contract, and refusals get their JSON-RPC codes.
//
// Value or promise: a result that needs no waiting stays a value on its way from `callAtTip` through `answerJsonRpc` and the channel to
// HTTP. Everywhere else methods are plain async functions.

import type { Failure } from '../../contract/failure.ts'
import { type RpcMethod, rpcMethods } from '../../contract/rpc.ts'
import { furtherRpcMethods, passedMethods } from '../../contract/rpc-further.ts'
import { serverError } from '../../evm/call/call-failures.ts'
import { monotonicMs } from '../../lib/clock.ts'
import {
  answerJsonRpc,
  errorText,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  JsonRpcError,
  type JsonRpcParams,
  METHOD_NOT_FOUND,
} from '../../lib/json/json-rpc.ts'
import { nearestOf } from '../../lib/nearest.ts'
import { blockMethods } from '../methods/blocks.ts'
import { callAtTip, callMethods } from '../methods/calls.ts'
import { debugMethods } from '../methods/debug.ts'
import { feeMethods } from '../methods/fees.ts'
import { filterMethods } from '../methods/filters.ts'
import type { OwnMethods, RpcHandlers } from '../methods/handlers.ts'
import { logMethods } from '../methods/logs.ts'
import { nodeMethods } from '../methods/node.ts'
import { sendingMethods } from '../methods/sending.ts'
import { stateMethods } from '../methods/state.ts'
import { subscriptionMethods } from '../methods/subscriptions.ts'
import { transactionMethods } from '../methods/transactions.ts'
import {
  balanceSpent,
  type Caller,
  createRequestWork,
  UNITS_PER_BYTE,
  type WorkBalance,
  type WorkLeft,
} from '../state/client-work.ts'
import type { RpcState } from '../state/rpc-state.ts'
import { openScope, type RpcConnection, type Scope } from '../state/scope.ts'
import { createFilters } from '../subscriptions/filters.ts'
import { publishEvents } from '../subscriptions/publish-events.ts'
import { publishPool } from '../subscriptions/publish-pool.ts'
import { createSubscriptions, type Subscriptions } from '../subscriptions/subscriptions.ts'

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
  return advancedMs === null ? undefined : Math.max(0, Math.round(monotonicMs() - advancedMs))
}

/** To read so long a text only to refuse what is in it would be work for nothing, so the refusal has no id. */
function refusedUnread(balance: WorkBalance): RpcAnswer {
  return { text: errorText(null, balanceSpent(balance)), ageMs: undefined, work: balance.left() }
}

/** Gives a value or a promise, or throws. */
export type Dispatch = (scope: Scope, method: string, params: JsonRpcParams) => unknown

export function createDispatch(subscriptions: Subscriptions): Dispatch {
  const handlers = createHandlers(subscriptions)
  const own = new Map<string, { readonly method: RpcMethod; readonly handle: AnyHandler }>(
    Object.entries({ ...rpcMethods, ...furtherRpcMethods }).map(([name, method]) => [
      name,
      { method, handle: handlers[name as keyof OwnMethods] as AnyHandler },
    ]),
  )
  const passed = new Set<string>(passedMethods)
  return (scope, name, params) => {
    if (name === 'eth_call' && Array.isArray(params)) {
      const output = callAtTip(scope, params)
      if (output !== undefined) return output
    }
    const known = own.get(name)
    if (known !== undefined) {
      const raw = positional(name, params)
      return known.handle(scope, checkedParams(name, known.method, raw), raw)
    }
    if (passed.has(name)) return scope.ask(name, positional(name, params))
    throw unknownMethod(name, [...own.keys(), ...passed])
  }
}

type AnyHandler = (scope: Scope, params: unknown, raw: readonly unknown[]) => unknown

function createHandlers(subscriptions: Subscriptions): RpcHandlers {
  return {
    ...blockMethods,
    ...transactionMethods,
    ...stateMethods,
    ...callMethods,
    ...logMethods,
    ...feeMethods,
    ...sendingMethods,
    ...debugMethods,
    ...nodeMethods,
    ...subscriptionMethods(subscriptions),
    ...filterMethods(createFilters(subscriptions)),
  }
}

/** A longer name is not compared with the known ones, because that would take long. */
const MAX_NAME_CHARS = 64

function unknownMethod(name: string, names: readonly string[]): JsonRpcError {
  const near = name.length > MAX_NAME_CHARS ? undefined : nearestOf(name, names)
  const hint = near ? `; did you mean ${near}?` : ''
  const shown = name.slice(0, MAX_NAME_CHARS)
  return new JsonRpcError(METHOD_NOT_FOUND, `the method ${shown} does not exist or is not available${hint}`)
}

function positional(name: string, params: JsonRpcParams): readonly unknown[] {
  if (Array.isArray(params)) return params
  throw new JsonRpcError(INVALID_PARAMS, `${name} takes its parameters as an array`)
}

/** The messages begin as geth's do. */
function checkedParams(name: string, { params: schema, names }: RpcMethod, params: readonly unknown[]): unknown {
  if (params.length > names.length) {
    throw new JsonRpcError(INVALID_PARAMS, `too many arguments for ${name}, want at most ${names.length}`)
  }
  const result = schema.safeParse(params)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const { path, message } = issue!.code === 'invalid_key' ? { ...issue!.issues[0]!, path: issue!.path } : issue!
  const position = Number(path[0] ?? params.length)
  if (position >= params.length) {
    throw new JsonRpcError(
      INVALID_PARAMS,
      `missing value for required argument ${position} (${names[position] ?? '?'})`,
    )
  }
  const where = [names[position] ?? `argument ${position}`, ...path.slice(1)].join('.')
  throw new JsonRpcError(INVALID_PARAMS, `invalid argument ${position}: ${where} ${message}`)
}

export function rpcErrorOf(failure: Failure): JsonRpcError {
  return new JsonRpcError(failure.refusal.rpc, failure.message)
}

/** A client learns nothing of a bug but the id under which it is logged. */
export function rpcBug(errorId: string): JsonRpcError {
  return new JsonRpcError(INTERNAL_ERROR, `Internal error. Please quote the id ${errorId}.`)
}
