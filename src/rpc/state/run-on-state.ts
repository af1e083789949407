// Runs something on the state after a pending block. The machine does not wait: what the state does not know is noted, fetched all at
// once, and the run begins again. Long runs pause, so that no flashblock waits for them, and end with their time.

import { serverError } from '../../evm/call/call-failures.ts'
import { ExecutionTimeout, type PausableRun, runInTimeSlices, type TimeSlicing } from '../../evm/core/pausable-run.ts'
import type { Misses, StateSource } from '../../evm/state/state-source.ts'
import { WorldState } from '../../evm/state/world-state.ts'
import type { PendingState } from '../../pending/executor.ts'
import { overLimit } from './failures.ts'
import { recordMisses } from './noting-misses.ts'
import type { Scope } from './scope.ts'
import { fetchMisses } from './state-fetch.ts'
import { TIME_SLICE_MS, yieldToOthers } from './time-slices.ts'

export type Run<T> = {
  slices(world: WorldState): PausableRun<T>
  missesOf(result: T): Misses | null
}

/** At once where nothing is missing and the run is short. */
export function runOnState<T>(scope: Scope, state: PendingState, run: Run<T>): T | Promise<T> {
  const world = idleWorlds.get(state.source) ?? new WorldState(state.source)
  // Whoever comes while this run pauses takes another.
  idleWorlds.delete(state.source)
  const deadlineMs = performance.now() + scope.dependencies.limits.callTimeoutMs
  const turns = turnsUntil(scope, deadlineMs)
  const result = runInTimeSlices(run.slices(world), turns)
  if (!(result instanceof Promise) && run.missesOf(result) === null) {
    idleWorlds.set(state.source, world)
    return result
  }
  if (runsUnderWay < MAX_RUNS) return completed(scope, state, run, { result, world, deadlineMs })
  turns.isAbandoned = true
  if (result instanceof Promise) result.catch(() => undefined)
  throw tooManyRuns()
}

/** Something to run on: a state, and the way to know more of it. */
export type BaseState = Pick<PendingState, 'source' | 'fetch'>

/** A run that makes its own worlds. What it throws while something is missing means nothing. */
export async function runOnBaseState<T>(
  scope: Scope,
  ground: BaseState,
  slices: (source: StateSource) => PausableRun<T>,
): Promise<T> {
  const deadlineMs = performance.now() + scope.dependencies.limits.callTimeoutMs
  return underWay(scope, async () => {
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
      const noting = recordMisses(ground.source)
      const outcome = await settled(runInTurnsLater(slices(noting.source), turnsUntil(scope, deadlineMs)))
      const misses = noting.misses()
      if (misses === null) {
        if (outcome.type === 'failed') throw outcome.error
        return outcome.value
      }
      await fetchMisses(scope, ground, misses)
      if (performance.now() > deadlineMs) throw new ExecutionTimeout('execution timed out')
    }
    throw stillUnknown()
  })
}

/** A world remembers what it has read: calls on the same state share that, one after the other. */
const idleWorlds = new WeakMap<object, WorldState>()

type Begun<T> = { readonly result: T | Promise<T>; readonly world: WorldState; readonly deadlineMs: number }

function completed<T>(scope: Scope, state: PendingState, run: Run<T>, begun: Begun<T>): Promise<T> {
  return underWay(scope, async () => {
    const { world, deadlineMs } = begun
    let result = await begun.result
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
      const misses = run.missesOf(result)
      if (misses === null) {
        idleWorlds.set(state.source, world)
        return result
      }
      await fetchMisses(scope, state, misses)
      if (performance.now() > deadlineMs) throw new ExecutionTimeout('execution timed out')
      result = await runInTimeSlices(run.slices(world), turnsUntil(scope, deadlineMs))
    }
    throw stillUnknown()
  })
}

/** Counted, and with its end spelled out. */
async function underWay<T>({ dependencies: { limits } }: Scope, work: () => Promise<T>): Promise<T> {
  if (runsUnderWay >= MAX_RUNS) throw tooManyRuns()
  runsUnderWay++
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ExecutionTimeout)) throw error
    throw serverError(`execution aborted (timeout = ${limits.callTimeoutMs} ms)`)
  } finally {
    runsUnderWay--
  }
}

type Outcome<T> = { readonly type: 'done'; readonly value: T } | { readonly type: 'failed'; readonly error: unknown }

function settled<T>(promise: Promise<T>): Promise<Outcome<T>> {
  return promise.then(
    (value) => ({ type: 'done', value }),
    (error: unknown) => {
      if (error instanceof ExecutionTimeout) throw error
      return { type: 'failed', error }
    },
  )
}

async function runInTurnsLater<T>(slices: PausableRun<T>, turns: TimeSlicing): Promise<T> {
  return runInTimeSlices(slices, turns)
}

function stillUnknown() {
  return serverError(`after ${MAX_ROUNDS} rounds the state is still not known`)
}

/** Nobody waits any more for a run that is abandoned: it ends at its next pause. */
type OwnTurns = TimeSlicing & { isAbandoned: boolean }

function turnsUntil({ signal }: Scope, deadlineMs: number): OwnTurns {
  const turns: OwnTurns = {
    timeSliceMs: TIME_SLICE_MS,
    deadlineMs,
    isAbandoned: false,
    async pause() {
      await yieldToOthers(signal)
      if (turns.isAbandoned) throw tooManyRuns()
    },
  }
  return turns
}

function tooManyRuns() {
  return overLimit(`more than ${MAX_RUNS} calls are being executed: try again`)
}

/** Runs that pause or wait for state, of all clients. */
const MAX_RUNS = 256
let runsUnderWay = 0
/** A round can only lead to the next where the code reads what it has just read the place of. */
const MAX_ROUNDS = 256
