// Starts solc-process.ts and talks to it: a warm compiler that takes one input at a time, within limits.
import { type ChildProcess, spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Limits, type RunResult, timeOrMemoryExceeded } from './compiler.ts'
import { createMessageReader, messageHeader } from './pipe-messages.ts'
import { limitProcess, residentBytes } from './process-limits.ts'
import type { Sandbox } from './sandbox.ts'

export type SoljsonWorker = {
  readonly file: string
  /** The version that the compiler reports; `crashed` or `over` when it does not load. */
  readonly loaded: Promise<RunResult>
  compile: (input: string, limits: Limits) => Promise<RunResult>
  readonly jobs: number
  readonly isAlive: boolean
  residentBytes: () => Promise<number>
  kill: () => void
}

const STDERR_CHARS = 2_000
/** What a compiler may use until it has loaded, before its first input. */
const LOAD_LIMITS: Limits = { wallMs: 60_000, memoryBytes: 2 ** 30, outputBytes: 10_000 }

export function startSoljsonWorker(file: string, sandbox: Sandbox): SoljsonWorker {
  const child = spawnSolc(file, sandbox)
  const pid = child.pid ?? 0
  let pending: ((result: RunResult) => void) | undefined
  let isAlive = child.pid !== undefined
  let jobs = 0
  let outputLimit = Number.MAX_SAFE_INTEGER
  let stderr = ''

  const settle = (result: RunResult): void => {
    const resolve = pending
    pending = undefined
    resolve?.(result)
  }
  const end = (result: RunResult): void => {
    isAlive = false
    child.kill('SIGKILL')
    settle(result)
  }
  const tooLong = (length: number): void =>
    end({ type: 'over', limit: 'output', message: `The compiler’s output of ${length} bytes is over the limit` })

  const reader = createMessageReader(2 ** 32, {
    onMessage: (output) => settle({ type: 'output', output }),
  })
  const results = child.stdio[3] as Readable
  let received = 0
  results.on('data', (chunk: Uint8Array) => {
    received += chunk.length
    if (received > outputLimit) tooLong(received)
    else reader.push(chunk)
  })
  child.stderr!.on('data', (chunk: Uint8Array) => {
    stderr = `${stderr}${chunk}`.slice(-STDERR_CHARS)
  })
  // Writing to a process that is gone is not an error of its own: the exit event reports it.
  for (const stream of [child.stdin, child.stderr, results]) stream!.on('error', () => {})
  child.on('error', (error) => end({ type: 'crashed', message: `The compiler could not be started: ${error.message}` }))
  child.on('exit', (code, signal) =>
    end({ type: 'crashed', message: `The compiler ended with ${signal ?? code}: ${reasonIn(stderr)}` }),
  )

  const nextMessage = async (limits: Limits): Promise<RunResult> => {
    const { promise, resolve } = Promise.withResolvers<RunResult>()
    if (!isAlive) return { type: 'crashed', message: `The compiler ended: ${reasonIn(stderr)}` }
    pending = resolve
    received = 0
    outputLimit = limits.outputBytes
    const { exceeded, stop } = limitProcess(pid, limits)
    void exceeded.then((limit) => end(timeOrMemoryExceeded(limit, limits)))
    try {
      return await promise
    } finally {
      stop()
    }
  }

  const loaded = nextMessage(LOAD_LIMITS)

  return {
    file,
    loaded,
    compile: async (input, limits) => {
      const version = await loaded
      if (version.type !== 'output') return version
      jobs++
      const bytes = Buffer.from(input)
      const result = nextMessage(limits)
      const stdin = child.stdin as Writable
      stdin.write(messageHeader(bytes.length))
      stdin.write(bytes)
      return result
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

function spawnSolc(file: string, { commandIn }: Sandbox): ChildProcess {
  const readable = readableFor(file)
  const [command, ...args] = commandIn([process.execPath, ...permissions(readable), entry, wrapper, file], readable)
  return spawn(command!, args, { stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env: {}, cwd: dirname(entry) })
}

const entry = realpathSync(fileURLToPath(new URL('./solc-process.ts', import.meta.url)))
/** Says that the entry is a module. */
const packageFile = realpathSync(fileURLToPath(new URL('../../../package.json', import.meta.url)))
const wrapper = realpathSync(createRequire(import.meta.url).resolve('solc/wrapper'))

/** Node's permission model: the process may read its own code, the solc package and the compiler. It may not write or start anything. */
function permissions(readable: readonly string[]): string[] {
  return ['--permission', '--allow-worker', '--no-warnings', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

function readableFor(file: string): string[] {
  return [dirname(entry), packageFile, dirname(dirname(wrapper)), file, realpathSync(file)]
}

/** The line of the output that names the error. */
function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim())
  return lines.find((line) => /^\w*(Error|abort)/i.test(line)) ?? lines.findLast(Boolean) ?? 'it printed no reason'
}
