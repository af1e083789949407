// JSON-RPC of E20: checks a call against the contract and hands it to its method. Refusals are spelled here, once.
import { Failure } from '../contract/failure.ts'
import { type RpcMethodName, type RpcParams, rpcMethods } from '../contract/rpc.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, JsonRpcError, type JsonRpcParams, METHOD_NOT_FOUND } from '../lib/json-rpc.ts'
import { nearestOf } from '../lib/nearest.ts'

/** One function a method; a missing one does not compile. */
export type RpcHandlers = { readonly [N in RpcMethodName]: (params: RpcParams<N>) => Promise<unknown> | unknown }

export type Dispatch = (method: string, params: JsonRpcParams) => Promise<unknown>

export const createDispatch =
  (handlers: RpcHandlers): Dispatch =>
  async (method, params) => {
    if (!Object.hasOwn(rpcMethods, method)) {
      const near = nearestOf(method, Object.keys(rpcMethods))
      const hint = near ? `; did you mean ${near}?` : ''
      throw new JsonRpcError(METHOD_NOT_FOUND, `the method ${method} does not exist or is not available${hint}`)
    }
    const name = method as RpcMethodName
    const checked = checkedParams(name, params)
    try {
      return await (handlers[name] as (params: readonly unknown[]) => unknown)(checked)
    } catch (error) {
      throw error instanceof Failure ? rpcErrorOf(error) : error
    }
  }

const checkedParams = (name: RpcMethodName, params: JsonRpcParams): readonly unknown[] => {
  const { params: schema, names } = rpcMethods[name]
  if (!Array.isArray(params)) throw new JsonRpcError(INVALID_PARAMS, `${name} takes its parameters as an array`)
  const result = schema.safeParse(params)
  if (result.success) return result.data
  const { path, message } = result.error.issues[0]!
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

export const rpcErrorOf = (failure: Failure): JsonRpcError => new JsonRpcError(failure.refusal.rpc, failure.message)

/** What a client may know of a bug. */
export const rpcBug = (errorId: string): JsonRpcError =>
  new JsonRpcError(INTERNAL_ERROR, `Internal error. Please quote the id ${errorId}.`)
