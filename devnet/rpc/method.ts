// One JSON-RPC method: its parameters by name, in their order, and its handler.
import { setImmediate as nextRound } from 'node:timers/promises'
import type { z } from 'zod'
import type { PausableRun } from '../../src/evm/core/pausable-run.ts'
import { INVALID_PARAMS, JsonRpcError, type JsonRpcParams, type JsonText } from '../../src/lib/json/json-rpc.ts'
import type { DevnetChain, ReadableChain } from '../chain/chain.ts'
import type { Connection } from './connection.ts'
import type { Filters } from './filters.ts'

export type Method = (context: Context, params: JsonRpcParams) => unknown
export type MethodTable = Readonly<Record<string, Method>>

/** A method that executes code. It runs in time slices, and not on the thread that makes the blocks. */
export type ExecutingMethod = (chain: ReadableChain, params: JsonRpcParams) => PausableRun<unknown>
export type ExecutingMethodTable = Readonly<Record<string, ExecutingMethod>>

type Schemas = Readonly<Record<string, z.ZodType>>
type Arguments<S extends Schemas> = { readonly [K in keyof S]: z.output<S[K]> }

/** Throws a JsonRpcError if a parameter is invalid. A parameter whose schema accepts undefined may be left out. */
export function method<S extends Schemas>(
  schemas: S,
  answer: (context: Context, args: Arguments<S>, asWritten: readonly unknown[]) => unknown,
): Method {
  return (context, params) => {
    const given = positional(params)
    return answer(context, argumentsOf(schemas, given), given)
  }
}

export function executingMethod<S extends Schemas>(
  schemas: S,
  answer: (chain: ReadableChain, args: Arguments<S>) => PausableRun<unknown>,
): ExecutingMethod {
  return (chain, params) => answer(chain, argumentsOf(schemas, positional(params)))
}

function positional(params: JsonRpcParams): readonly unknown[] {
  if (!Array.isArray(params)) throw new JsonRpcError(INVALID_PARAMS, 'parameters must come as an array')
  return params
}

function argumentsOf<S extends Schemas>(schemas: S, params: readonly unknown[]): Arguments<S> {
  const names = Object.keys(schemas)
  if (params.length > names.length) {
    throw new JsonRpcError(INVALID_PARAMS, `too many arguments, want at most ${names.length}`)
  }
  const args = names.map((name, position) => [name, checked(schemas[name]!, { name, position, params })])
  return Object.fromEntries(args) as Arguments<S>
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

/** Where executing methods run. */
export type Executions = {
  /** Gives the result of a method of the table as JSON, or rejects with a JsonRpcError. */
  execute(method: string, params: JsonRpcParams): Promise<JsonText>
}

export type Context = {
  readonly chain: DevnetChain
  readonly filters: Filters
  readonly executions: Executions
  /** Null over HTTP, where nothing can be sent later. */
  readonly connection: Connection | null
}

// The chain and its server share a thread, and blocks must be built in time, so long reading is split into time slices.

const MAX_SLICE_MS = 20

let beganMs = performance.now()

/** Await it between two pieces of work. It returns at once, or after other work if the time slice is used up. */
export async function yieldWhenSliceIsUsed(): Promise<void> {
  if (performance.now() - beganMs < MAX_SLICE_MS) return
  await nextRound()
  beganMs = performance.now()
}
