// The parent's side of solc-process.ts: a warm compiler that takes one input at a time.
import { type ChildProcess, spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createFrameReader, frameHeader } from './pipe-messages.ts'
import { residentBytes, watchProcess } from './process-limits.ts'
import { type CompileOutcome, type Limits, LOAD_MS } from './program.ts'

export type SoljsonWorker = {
  readonly file: string
  /** What the compiler says it is; a `crashed` or `over` outcome when it does not load. */
  readonly hello: Promise<CompileOutcome>
  compile: (input: string, limits: Limits) => Promise<CompileOutcome>
  readonly jobs: number
  readonly isAlive: boolean
  residentBytes: () => Promise<number>
  kill: () => void
}

const STDERR_CHARS = 2_000

export function startSoljsonWorker(file: string, { prefix }: { prefix: readonly string[] }): SoljsonWorker {
  const child = spawnSolc(file, prefix)
  const pid = child.pid ?? 0
  let pending: ((outcome: CompileOutcome) => void) | undefined
  let isAlive = child.pid !== undefined
  let jobs = 0
  let outputLimit = Number.MAX_SAFE_INTEGER
  let complaint = ''

  const settle = (outcome: CompileOutcome): void => {
    const resolve = pending
    pending = undefined
    resolve?.(outcome)
  }
  const end = (outcome: CompileOutcome): void => {
    isAlive = false
    child.kill('SIGKILL')
    settle(outcome)
  }
  const tooLong = (length: number): void =>
    end({ type: 'over', limit: 'output', message: `The compiler’s output has ${length} bytes, too many to take` })

  const reader = createFrameReader(2 ** 32, {
    onFrame: (output) => settle({ type: 'output', output }),
  })
  const results = child.stdio[3] as Readable
  let received = 0
  results.on('data', (chunk: Uint8Array) => {
    received += chunk.length
    if (received > outputLimit) tooLong(received)
    else reader.push(chunk)
  })
  child.stderr!.on('data', (chunk: Uint8Array) => {
    complaint = `${complaint}${chunk}`.slice(-STDERR_CHARS)
  })
  // It may be gone while something is still written to it; the exit says so.
  for (const stream of [child.stdin, child.stderr, results]) stream!.on('error', () => {})
  child.on('error', (error) => end({ type: 'crashed', message: `The compiler could not be started: ${error.message}` }))
  child.on('exit', (code, signal) =>
    end({ type: 'crashed', message: `The compiler ended with ${signal ?? code}: ${reasonIn(complaint)}` }),
  )

  const outcomeWithin = async (limits: Limits): Promise<CompileOutcome> => {
    const { promise, resolve } = Promise.withResolvers<CompileOutcome>()
    if (!isAlive) return { type: 'crashed', message: `The compiler ended: ${reasonIn(complaint)}` }
    pending = resolve
    received = 0
    outputLimit = limits.outputBytes
    const watch = watchProcess(pid, limits)
    void watch.over.then((limit) => {
      const allowed = limit === 'time' ? `${limits.wallMs / 1000} s` : `${Math.round(limits.memoryBytes / 2 ** 20)} MiB`
      end({ type: 'over', limit, message: `The compiler took more than ${allowed} and was stopped` })
    })
    try {
      return await promise
    } finally {
      watch.stop()
    }
  }

  const hello = outcomeWithin({ wallMs: LOAD_MS, memoryBytes: 2 ** 30, outputBytes: 10_000 })

  return {
    file,
    hello,
    compile: async (input, limits) => {
      const loaded = await hello
      if (loaded.type !== 'output') return loaded
      jobs++
      const bytes = Buffer.from(input)
      const outcome = outcomeWithin(limits)
      const stdin = child.stdin as Writable
      stdin.write(frameHeader(bytes.length))
      stdin.write(bytes)
      return outcome
    },
    get jobs() {
      return jobs
    },
    get isAlive() {
      return isAlive
    },
    residentBytes: () => residentBytes(pid),
    kill: () => end({ type: 'crashed', message: 'The compiler was stopped' }),
  }
}

function spawnSolc(file: string, prefix: readonly string[]): ChildProcess {
  const [command, ...args] = [...prefix, process.execPath, ...permissions(file), entry, wrapper, file]
  return spawn(command!, args, { stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env: {}, cwd: dirname(entry) })
}

const entry = realpathSync(fileURLToPath(new URL('./solc-process.ts', import.meta.url)))
const wrapper = realpathSync(createRequire(import.meta.url).resolve('solc/wrapper'))

/** It may read itself, the wrapper around the compiler, and the compiler; it may write nothing and start nothing. */
function permissions(file: string): string[] {
  const packages = dirname(dirname(wrapper))
  const readable = [dirname(entry), packages, file, realpathSync(file)]
  return ['--permission', '--allow-worker', '--no-warnings', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

/** The line that names the error, out of a stack and more. */
function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim())
  return lines.find((line) => /^\w*(Error|abort)/i.test(line)) ?? lines.findLast(Boolean) ?? 'it said nothing'
}
