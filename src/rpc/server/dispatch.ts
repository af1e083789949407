// From a method's name to its answer: checks a call against the contract and hands it to its handler. Refusals are spelled here, once.
import type { z } from 'zod'
import type { Failure } from '../../contract/failure.ts'
import { type RpcMethod, type RpcMethods, rpcMethods } from '../../contract/rpc.ts'
import { type FurtherRpcMethods, furtherRpcMethods, passedMethods } from '../../contract/rpc-further.ts'
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  JsonRpcError,
  type JsonRpcParams,
  METHOD_NOT_FOUND,
} from '../../lib/json/json-rpc.ts'
import { nearestOf } from '../../lib/nearest.ts'
import type { Scope } from '../state/scope.ts'

type Methods = RpcMethods & FurtherRpcMethods

/** One function a method; a missing one does not compile. `raw` is what came, for the node to read. */
export type RpcHandlers = {
  readonly [N in keyof Methods]: (
    scope: Scope,
    params: z.output<Methods[N]['params']>,
    raw: readonly unknown[],
  ) => unknown
}

export type Dispatch = (scope: Scope, method: string, params: JsonRpcParams) => unknown

export function createDispatch(handlers: RpcHandlers): Dispatch {
  const own = new Map<string, { readonly method: RpcMethod; readonly handle: AnyHandler }>(
    Object.entries({ ...rpcMethods, ...furtherRpcMethods }).map(([name, method]) => [
      name,
      { method, handle: handlers[name as keyof Methods] as AnyHandler },
    ]),
  )
  const passed = new Set<string>(passedMethods)
  return (scope, name, params) => {
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

/** Names longer than this are not compared with ours, which would take long. */
const LONGEST_NAME = 64

function unknownMethod(name: string, names: readonly string[]): JsonRpcError {
  const near = name.length > LONGEST_NAME ? undefined : nearestOf(name, names)
  const hint = near ? `; did you mean ${near}?` : ''
  const shown = name.slice(0, LONGEST_NAME)
  return new JsonRpcError(METHOD_NOT_FOUND, `the method ${shown} does not exist or is not available${hint}`)
}

function positional(name: string, params: JsonRpcParams): readonly unknown[] {
  if (Array.isArray(params)) return params
  throw new JsonRpcError(INVALID_PARAMS, `${name} takes its parameters as an array`)
}

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

/** What a client may know of a bug. */
export function rpcBug(errorId: string): JsonRpcError {
  return new JsonRpcError(INTERNAL_ERROR, `Internal error. Please quote the id ${errorId}.`)
}
