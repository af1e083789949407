// From a method's name to its result: checks the parameters against the contract and calls the method's handler. Refusals get their
// JSON-RPC codes here.
import type { Failure } from '../../contract/failure.ts'
import { type RpcMethod, rpcMethods } from '../../contract/rpc.ts'
import { furtherRpcMethods, passedMethods } from '../../contract/rpc-further.ts'
import {
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
import type { Scope } from '../state/scope.ts'
import { createFilters } from '../subscriptions/filters.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'

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
