// Runs calls on the state after a pending block. The EVM never waits: it records what the state source does not know, all of that is
// fetched from the node in one batch, and the run starts again. A long run pauses after each time slice, so that no flashblock waits for
// it, and ends with its timeout.
import { serverError } from '../../evm/call/call-failures.ts'
import { ExecutionTimeout, type PausableRun, runInTimeSlices, type TimeSlicing } from '../../evm/core/pausable-run.ts'
import type { Misses, StateSource } from '../../evm/state/state-source.ts'
import { WorldState } from '../../evm/state/world-state.ts'
import { TIME_SLICE_MS } from '../../lib/async/turns.ts'
import { limitExceeded } from '../../lib/json/json-rpc.ts'
import type { PendingState } from '../../pending/executor.ts'
import type { RequestWork } from './client-work.ts'
import { type FetchLimits, fetchMisses, recordMisses } from './missing-state.ts'

export type Executions = {
  /**
   * Worlds that no run is using, by the state source that they read, the least recently used first. A world caches what it has read, so
   * calls on the same state use the same world, one after the other.
   */
  readonly idleWorlds: Map<StateSource, WorldState>
  /** Runs that pause or wait for state, by client. */
  readonly underWay: Map<string, number>
}

const MAX_IDLE_WORLDS = 16
/** Of one client: one that starts more does not take the others' place. */
const MAX_EXECUTIONS = 256
/** A run needs another round when the code reads from an address or a slot that it computed from what was missing before. */
const MAX_ROUNDS = 256

export function createExecutions(): Executions {
  return { idleWorlds: new Map(), underWay: new Map() }
}

export type ExecutionContext = {
  readonly rpc: FetchLimits & { readonly executions: Executions }
  readonly work: RequestWork
}

export type Run<T> = {
  start(world: WorldState): PausableRun<T>
  missesOf(result: T): Misses | null
  gasOf(result: T): bigint
}

/** Gives a value, not a promise, if nothing is missing and the run takes less than one slice; rpc/server/server.ts says why. */
export function runOnState<T>(context: ExecutionContext, state: PendingState, run: Run<T>): T | Promise<T> {
  const { executions, limits } = context.rpc
  const world = takeWorld(executions, state.source)
  const deadlineMs = performance.now() + limits.callTimeoutMs
  const slicing = slicingUntil(context, deadlineMs)
  const result = runInTimeSlices(run.start(world), slicing)
  if (!(result instanceof Promise) && run.missesOf(result) === null) {
    returnWorld(executions, state.source, world)
    context.work.charge(Number(run.gasOf(result)))
    return result
  }
  if (underWayOf(context) < MAX_EXECUTIONS) return finishRun(context, state, run, { result, world, deadlineMs })
  slicing.isAbandoned = true
  if (result instanceof Promise) result.catch(() => undefined)
  throw tooManyExecutions()
}

/** A state to run on, and the way to fetch what its source does not know. */
export type BaseState = Pick<PendingState, 'source' | 'fetch'>

/** For a run that makes its own worlds. An error that it throws while something is missing is ignored, and the run starts again. */
export function runOnBaseState<T>(
  context: ExecutionContext,
  base: BaseState,
  start: (source: StateSource) => PausableRun<T>,
): Promise<T> {
  const deadlineMs = performance.now() + context.rpc.limits.callTimeoutMs
  return countExecution(context, async () => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const recording = recordMisses(base.source)
      const result = await settled(async () =>
        runInTimeSlices(start(recording.source), slicingUntil(context, deadlineMs)),
      )
      const misses = recording.misses()
      if (misses === null) {
        if (result.type === 'failed') throw result.error
        return result.value
      }
      await fetchMisses(context.rpc, base, misses)
      if (performance.now() > deadlineMs) throw new ExecutionTimeout('execution timed out')
    }
    throw stillMissing()
  })
}

type StartedRun<T> = { readonly result: T | Promise<T>; readonly world: WorldState; readonly deadlineMs: number }

function finishRun<T>(context: ExecutionContext, state: PendingState, run: Run<T>, started: StartedRun<T>): Promise<T> {
  return countExecution(context, async () => {
    const { world, deadlineMs } = started
    let result = await started.result
    for (let round = 0; round < MAX_ROUNDS; round++) {
      context.work.charge(Number(run.gasOf(result)))
      const misses = run.missesOf(result)
      if (misses === null) {
        returnWorld(context.rpc.executions, state.source, world)
        return result
      }
      await fetchMisses(context.rpc, state, misses)
      if (performance.now() > deadlineMs) throw new ExecutionTimeout('execution timed out')
      result = await runInTimeSlices(run.start(world), slicingUntil(context, deadlineMs))
    }
    throw stillMissing()
  })
}

async function countExecution<T>(context: ExecutionContext, run: () => Promise<T>): Promise<T> {
  const { executions, limits } = context.rpc
  const { client } = context.work
  const before = underWayOf(context)
  if (before >= MAX_EXECUTIONS) throw tooManyExecutions()
  executions.underWay.set(client, before + 1)
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ExecutionTimeout)) throw error
    throw serverError(`execution aborted (timeout = ${limits.callTimeoutMs} ms)`)
  } finally {
    const left = underWayOf(context) - 1
    if (left === 0) executions.underWay.delete(client)
    else executions.underWay.set(client, left)
  }
}

function underWayOf({ rpc, work }: ExecutionContext): number {
  return rpc.executions.underWay.get(work.client) ?? 0
}

/** A world in use is not in the map, so a call that comes while this run pauses gets another one. */
function takeWorld({ idleWorlds }: Executions, source: StateSource): WorldState {
  const idle = idleWorlds.get(source)
  if (idle === undefined) return new WorldState(source)
  idleWorlds.delete(source)
  return idle
}

function returnWorld({ idleWorlds }: Executions, source: StateSource, world: WorldState): void {
  idleWorlds.set(source, world)
  if (idleWorlds.size > MAX_IDLE_WORLDS) idleWorlds.delete(idleWorlds.keys().next().value!)
}

type RunResult<T> = { readonly type: 'done'; readonly value: T } | { readonly type: 'failed'; readonly error: unknown }

async function settled<T>(work: () => Promise<T>): Promise<RunResult<T>> {
  try {
    return { type: 'done', value: await work() }
  } catch (error) {
    if (error instanceof ExecutionTimeout) throw error
    return { type: 'failed', error }
  }
}

/** An abandoned run ends at its next pause. */
type AbandonableSlicing = TimeSlicing & { isAbandoned: boolean }

function slicingUntil({ rpc, work }: ExecutionContext, deadlineMs: number): AbandonableSlicing {
  const slicing: AbandonableSlicing = {
    timeSliceMs: TIME_SLICE_MS,
    deadlineMs,
    isAbandoned: false,
    async pause() {
      await work.endSlice()
      rpc.signal.throwIfAborted()
      if (slicing.isAbandoned) throw tooManyExecutions()
    },
  }
  return slicing
}

function stillMissing() {
  return serverError(`execution aborted: state is still missing after ${MAX_ROUNDS} rounds`)
}

function tooManyExecutions() {
  return limitExceeded(`more than ${MAX_EXECUTIONS} calls of this client are being executed: try again`)
}
