// Finds the method of a request and runs it.
import { answerJsonRpc, INTERNAL_ERROR, JsonRpcError, METHOD_NOT_FOUND } from '../../src/lib/json/json-rpc.ts'
import type { Log } from '../../src/lib/log.ts'
import { nearestOf } from '../../src/lib/nearest.ts'
import { type Context, type ExecutingMethodTable, type MethodTable, yieldWhenSliceIsUsed } from './method.ts'

const MAX_BATCH = 1_000
const MAX_RESPONSE_CHARS = 50_000_000

/** Longer names get no suggestion, because comparing them would take long. */
const LONGEST_NAME = 64

export type Answer = (context: Context, body: string) => Promise<string | undefined>

type Tables = { readonly methods: MethodTable; readonly executingMethods: ExecutingMethodTable }

export function createAnswer({ methods, executingMethods }: Tables, log: Log): Answer {
  const names = Object.keys({ ...methods, ...executingMethods })
  return async (context, body) =>
    answerJsonRpc(
      {
        async call(name, params) {
          await yieldWhenSliceIsUsed()
          if (Object.hasOwn(executingMethods, name)) return context.executions.execute(name, params)
          if (!Object.hasOwn(methods, name)) throw unknownMethod(name, names)
          return methods[name]!(context, params)
        },
        onBug(error, method) {
          log.error({ method, error }, 'a method of the devnet failed')
          return new JsonRpcError(INTERNAL_ERROR, 'internal error')
        },
        maxBatch: MAX_BATCH,
        maxResponseChars: MAX_RESPONSE_CHARS,
      },
      body,
    )
}

function unknownMethod(name: string, names: readonly string[]): JsonRpcError {
  const near = name.length > LONGEST_NAME ? undefined : nearestOf(name, names)
  const hint = near ? `; did you mean ${near}?` : ''
  return new JsonRpcError(
    METHOD_NOT_FOUND,
    `the method ${name.slice(0, LONGEST_NAME)} does not exist/is not available${hint}`,
  )
}
