// One JSON-RPC method: its parameters by name, in their order, and its handler.
import type { z } from 'zod'
import { INVALID_PARAMS, JsonRpcError, type JsonRpcParams } from '../../src/lib/json/json-rpc.ts'
import type { DevnetChain } from '../chain/chain.ts'
import type { Connection } from './connection.ts'
import type { Filters } from './filters.ts'

export type Method = (context: Context, params: JsonRpcParams) => unknown
export type MethodTable = Readonly<Record<string, Method>>

type Schemas = Readonly<Record<string, z.ZodType>>
type Arguments<S extends Schemas> = { readonly [K in keyof S]: z.output<S[K]> }

/** Throws a JsonRpcError if a parameter is invalid. A parameter whose schema accepts undefined may be left out. */
export function method<S extends Schemas>(
  schemas: S,
  answer: (context: Context, args: Arguments<S>) => unknown,
): Method {
  const names = Object.keys(schemas)
  return (context, params) => {
    if (!Array.isArray(params)) throw new JsonRpcError(INVALID_PARAMS, 'parameters must come as an array')
    if (params.length > names.length) {
      throw new JsonRpcError(INVALID_PARAMS, `too many arguments, want at most ${names.length}`)
    }
    const args = names.map((name, position) => [name, checked(schemas[name]!, { name, position, params })])
    return answer(context, Object.fromEntries(args))
  }
}

type Argument = { readonly name: string; readonly position: number; readonly params: readonly unknown[] }

function checked(schema: z.ZodType, { name, position, params }: Argument): unknown {
  const result = schema.safeParse(params[position])
  if (result.success) return result.data
  if (params[position] === undefined) {
    throw new JsonRpcError(INVALID_PARAMS, `missing value for required argument ${position} (${name})`)
  }
  const [issue] = result.error.issues
  const { path, message } = issue!.code === 'invalid_key' ? { ...issue!.issues[0]!, path: issue!.path } : issue!
  throw new JsonRpcError(INVALID_PARAMS, `invalid argument ${position}: ${[name, ...path].join('.')} ${message}`)
}

export type Context = {
  readonly chain: DevnetChain
  readonly filters: Filters
  /** Null over HTTP, where nothing can be sent later. */
  readonly connection: Connection | null
}
