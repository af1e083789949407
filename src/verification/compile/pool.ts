// At most so many compilers at once, each in a process of its own. Those that can take another input are kept warm: the
// fourth compilation of a process is three times as fast as the first.
import { availableParallelism } from 'node:os'
import type { CompileOutcome, Limits, Program } from './program.ts'
import { runCommand } from './run-command.ts'
import { sandboxOfThisMachine } from './sandbox.ts'
import { type SoljsonWorker, startSoljsonWorker } from './soljson-worker.ts'

export type CompilePool = {
  /** Waits for its turn. Throws when `signal` aborts; what is being compiled for it is then stopped. */
  compile: (
    program: Program,
    input: string,
    options: { limits: Limits; signal: AbortSignal },
  ) => Promise<CompileOutcome>
  /** The version that a soljson file says it is. */
  versionOf: (file: string, signal: AbortSignal) => Promise<CompileOutcome>
  /** Processes there are now, busy or warm. */
  readonly processes: number
  stop: () => Promise<void>
}

/** One core is left to those who answer requests: a compiler takes all that it gets, for minutes. */
export const COMPILERS_AT_ONCE = Math.max(1, availableParallelism() - 1)
const MAX_WAITING = 64
/** A compiler's memory is never given back to the system: a fresh process is the way to have it back. */
const MAX_JOBS_A_PROCESS = 100
const MAX_WARM_BYTES = 800 * 2 ** 20
const IDLE_MS = 10 * 60_000

export function createCompilePool({ size = COMPILERS_AT_ONCE, idleMs = IDLE_MS } = {}): CompilePool {
  const warm: { worker: SoljsonWorker; timer: NodeJS.Timeout }[] = []
  const busy = new Set<SoljsonWorker>()
  const waiting: (() => void)[] = []
  const stopping = new AbortController()
  let taken = 0

  const turn = async (signal: AbortSignal): Promise<void> => {
    if (taken < size) {
      taken++
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = (): void => {
      const at = waiting.indexOf(resolve)
      // Its turn may have come in the same moment; the place is then somebody else's.
      if (at >= 0) waiting.splice(at, 1)
      reject(signal.reason)
    }
    waiting.push(resolve)
    signal.addEventListener('abort', abort, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', abort))
  }
  const done = (): void => {
    const next = waiting.shift()
    if (next) next()
    else taken--
  }

  const takeWorker = async (file: string): Promise<SoljsonWorker> => {
    const sandbox = await sandboxOfThisMachine()
    const index = warm.findIndex(({ worker }) => worker.file === file && worker.isAlive)
    const [kept] = index < 0 ? [] : warm.splice(index, 1)
    if (kept) clearTimeout(kept.timer)
    else if (warm.length + busy.size >= size) drop(warm[0])
    const worker = kept?.worker ?? startSoljsonWorker(file, sandbox)
    busy.add(worker)
    return worker
  }
  const giveBack = async (worker: SoljsonWorker): Promise<void> => {
    const keep = worker.isAlive && worker.jobs < MAX_JOBS_A_PROCESS && (await worker.residentBytes()) < MAX_WARM_BYTES
    busy.delete(worker)
    if (!keep || stopping.signal.aborted) return worker.kill()
    const entry = { worker, timer: setTimeout(() => drop(entry), idleMs) }
    entry.timer.unref()
    warm.push(entry)
  }
  const drop = (entry: (typeof warm)[number] | undefined): void => {
    if (!entry) return
    clearTimeout(entry.timer)
    warm.splice(warm.indexOf(entry), 1)
    entry.worker.kill()
  }

  const withWorker = async (
    file: string,
    signal: AbortSignal,
    work: (worker: SoljsonWorker) => Promise<CompileOutcome>,
  ): Promise<CompileOutcome> => {
    const worker = await takeWorker(file)
    const abort = (): void => worker.kill()
    signal.addEventListener('abort', abort, { once: true })
    try {
      signal.throwIfAborted()
      const outcome = await work(worker)
      signal.throwIfAborted()
      return outcome
    } finally {
      signal.removeEventListener('abort', abort)
      await giveBack(worker)
    }
  }

  const inTurn = async (
    asked: AbortSignal,
    work: (signal: AbortSignal) => Promise<CompileOutcome>,
  ): Promise<CompileOutcome> => {
    const signal = AbortSignal.any([asked, stopping.signal])
    signal.throwIfAborted()
    if (waiting.length >= MAX_WAITING) {
      return { type: 'busy', message: `${MAX_WAITING} compilations are waiting already: try again later` }
    }
    await turn(signal)
    try {
      signal.throwIfAborted()
      return await work(signal)
    } finally {
      done()
    }
  }

  return {
    compile: (program, input, { limits, signal }) =>
      inTurn(signal, async (ends) => {
        if (program.type === 'soljson') {
          return withWorker(program.file, ends, (worker) => worker.compile(input, limits))
        }
        const { prefix } = await sandboxOfThisMachine()
        return runCommand({ command: [...prefix, program.file, ...program.args], input, limits }, ends)
      }),
    versionOf: (file, signal) => inTurn(signal, (ends) => withWorker(file, ends, (worker) => worker.hello)),
    get processes() {
      return warm.length + busy.size
    },
    stop: async () => {
      stopping.abort(new Error('the verifier is stopping'))
      while (warm.length > 0) drop(warm[0])
      for (const worker of busy) worker.kill()
    },
  }
}
