// Runs the methods that execute code, in time slices, each until its deadline.
import { setImmediate as nextRound } from 'node:timers/promises'
import { serverError } from '../../src/evm/call/call-failures.ts'
import { ExecutionTimeout, runInTimeSlices } from '../../src/evm/core/pausable-run.ts'
import { JsonText } from '../../src/lib/json/json-rpc.ts'
import type { ReadableChain } from '../chain/chain.ts'
import { StateGone } from '../chain/state-history.ts'
import { overLimit } from './failures.ts'
import type { ExecutingMethodTable, Executions } from './method.ts'

export const DEFAULT_CALL_TIMEOUT_MS = 5_000

/** Blocks were within their gas when they were made, so tracing them ends by itself, only later. */
export const REPLAY_TIMEOUT_MS = 30_000

const MAX_EXECUTIONS = 256
const TIME_SLICE_MS = 4

export function createExecutions(
  methods: ExecutingMethodTable,
  chain: ReadableChain,
  callTimeoutMs = DEFAULT_CALL_TIMEOUT_MS,
): Executions {
  let underWay = 0
  return {
    async execute(method, params) {
      if (underWay >= MAX_EXECUTIONS) throw overLimit(`at most ${MAX_EXECUTIONS} calls at a time`)
      const timeoutMs = isReplay(method) ? Math.max(callTimeoutMs, REPLAY_TIMEOUT_MS) : callTimeoutMs
      underWay++
      try {
        const result = await runInTimeSlices(methods[method]!(chain, params), {
          timeSliceMs: TIME_SLICE_MS,
          deadlineMs: performance.now() + timeoutMs,
          pause: async () => void (await nextRound()),
        })
        return new JsonText(JSON.stringify(result ?? null))
      } catch (error) {
        if (error instanceof ExecutionTimeout) throw serverError(`execution aborted (timeout = ${timeoutMs} ms)`)
        if (error instanceof StateGone) throw serverError('historical state became unavailable during the call')
        throw error
      } finally {
        underWay--
      }
    },
  }
}

function isReplay(method: string): boolean {
  return method.startsWith('trace_') || (method.startsWith('debug_trace') && method !== 'debug_traceCall')
}
