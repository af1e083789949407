// The pool of compiler processes. At most `size` compile at the same time; further compilations wait in a queue. A process that can
// take another input stays warm: the fourth compilation of a process is three times as fast as the first.
import { availableParallelism } from 'node:os'
import type { Limits, Program, RunResult } from './compiler.ts'
import { runCommand } from './run-command.ts'
import { findSandbox, type Sandbox } from './sandbox.ts'
import { type SoljsonWorker, startSoljsonWorker } from './soljson-worker.ts'

export type CompilePool = {
  /** Waits in the queue. Throws when `signal` aborts; a compilation under way is then stopped. */
  compile: (program: Program, input: string, options: CompileOptions) => Promise<RunResult>
  /** The version that the compiler in a soljson file reports. Loading it takes no slot: the caller bounds how many are loaded at once. */
  versionOf: (file: string, signal: AbortSignal) => Promise<RunResult>
  /** What compilers run in on this machine. */
  sandbox: () => Promise<Sandbox>
  /** How many processes there are now, busy or warm. */
  readonly processes: number
  stop: () => Promise<void>
}

export type CompileOptions = {
  readonly limits: Limits
  readonly signal: AbortSignal
  /** Runs while the compilation has a slot. */
  readonly timer?: SlotTimer | undefined
}

/**
 * One processor is left to those who answer requests: a compiler takes all that it gets, for minutes. There are at least two slots, so
 * that one sender cannot have all of them; the low priority of compilers protects a machine that has only two processors.
 */
export const CONCURRENT_COMPILERS = Math.max(2, availableParallelism() - 1)
const MAX_WAITING = 64
/** WebAssembly never gives memory back to the system, so a process is replaced after this many inputs. */
const MAX_JOBS_PER_PROCESS = 100
const MAX_WARM_BYTES = 800 * 2 ** 20
const IDLE_MS = 10 * 60_000

export function createCompilePool({ size = CONCURRENT_COMPILERS, idleMs = IDLE_MS } = {}): CompilePool {
  const warm: { worker: SoljsonWorker; timer: NodeJS.Timeout }[] = []
  const busy = new Set<SoljsonWorker>()
  const waiting: (() => void)[] = []
  const stopping = new AbortController()
  let running = 0
  let sandbox: Promise<Sandbox> | undefined
  const findSandboxOnce = (): Promise<Sandbox> => {
    sandbox ??= findSandbox()
    return sandbox
  }

  const acquireSlot = async (signal: AbortSignal): Promise<void> => {
    if (running < size) {
      running++
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = (): void => {
      const at = waiting.indexOf(resolve)
      // It is absent where the slot was given to it in the same moment.
      if (at >= 0) waiting.splice(at, 1)
      reject(signal.reason)
    }
    waiting.push(resolve)
    signal.addEventListener('abort', abort, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', abort))
  }
  const releaseSlot = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  const takeWorker = async (file: string): Promise<SoljsonWorker> => {
    const found = await findSandboxOnce()
    const index = warm.findIndex(({ worker }) => worker.file === file && worker.isAlive)
    const [idle] = index < 0 ? [] : warm.splice(index, 1)
    if (idle) clearTimeout(idle.timer)
    else if (warm.length + busy.size >= size) endIdle(warm[0])
    const worker = idle?.worker ?? startSoljsonWorker(file, found)
    busy.add(worker)
    return worker
  }
  const returnWorker = async (worker: SoljsonWorker): Promise<void> => {
    const isReusable =
      worker.isAlive && worker.jobs < MAX_JOBS_PER_PROCESS && (await worker.residentBytes()) < MAX_WARM_BYTES
    busy.delete(worker)
    // A process that was only asked for its version was started beyond the slots.
    const isOneTooMany = warm.length + busy.size >= size
    if (!isReusable || isOneTooMany || stopping.signal.aborted) return worker.kill()
    const entry = { worker, timer: setTimeout(() => endIdle(entry), idleMs) }
    entry.timer.unref()
    warm.push(entry)
  }
  const endIdle = (entry: (typeof warm)[number] | undefined): void => {
    if (!entry) return
    clearTimeout(entry.timer)
    warm.splice(warm.indexOf(entry), 1)
    entry.worker.kill()
  }

  const withWorker = async (
    file: string,
    signal: AbortSignal,
    work: (worker: SoljsonWorker) => Promise<RunResult>,
  ): Promise<RunResult> => {
    const worker = await takeWorker(file)
    const abort = (): void => worker.kill()
    signal.addEventListener('abort', abort, { once: true })
    try {
      signal.throwIfAborted()
      const result = await work(worker)
      signal.throwIfAborted()
      return result
    } finally {
      signal.removeEventListener('abort', abort)
      await returnWorker(worker)
    }
  }

  const inSlot = async (
    { signal: requested, timer }: Pick<CompileOptions, 'signal' | 'timer'>,
    work: (signal: AbortSignal) => Promise<RunResult>,
  ): Promise<RunResult> => {
    const signal = AbortSignal.any([requested, stopping.signal])
    signal.throwIfAborted()
    if (waiting.length >= MAX_WAITING) {
      return { type: 'busy', message: `${MAX_WAITING} compilations are waiting already: please try again later` }
    }
    await acquireSlot(signal)
    const stopTimer = timer?.start()
    try {
      signal.throwIfAborted()
      return await work(signal)
    } finally {
      stopTimer?.()
      releaseSlot()
    }
  }

  return {
    compile: (program, input, { limits, signal, timer }) =>
      inSlot({ signal, timer }, async (slotSignal) => {
        if (program.type === 'soljson') {
          return withWorker(program.file, slotSignal, (worker) => worker.compile(input, limits))
        }
        const { commandIn } = await findSandboxOnce()
        const command = commandIn([program.file, ...program.args], program.readable)
        return runCommand({ command, input, limits }, slotSignal)
      }),
    versionOf: (file, signal) =>
      withWorker(file, AbortSignal.any([signal, stopping.signal]), (worker) => worker.loaded),
    sandbox: findSandboxOnce,
    get processes() {
      return warm.length + busy.size
    },
    stop: async () => {
      stopping.abort(new Error('the verifier is stopping'))
      while (warm.length > 0) endIdle(warm[0])
      for (const worker of busy) worker.kill()
    },
  }
}

/** How long a job has had compile slots until now, for those who charge its sender: it can be read while a compiler runs. */
export type SlotTimer = {
  readonly ms: number
  /** Runs until the function that it returns is called. */
  start: () => () => void
}

export function createSlotTimer(): SlotTimer {
  let endedMs = 0
  const running = new Set<{ readonly startMs: number }>()
  return {
    get ms() {
      const nowMs = performance.now()
      return Math.round(endedMs + [...running].reduce((sum, { startMs }) => sum + nowMs - startMs, 0))
    },
    start: () => {
      const run = { startMs: performance.now() }
      running.add(run)
      return () => {
        if (running.delete(run)) endedMs += performance.now() - run.startMs
      }
    },
  }
}
