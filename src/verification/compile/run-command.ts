// Runs a compiler that is an executable: one input on stdin, one output on stdout, within limits.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Limits, type RunResult, timeOrMemoryExceeded } from './compiler.ts'
import { limitProcess } from './process-limits.ts'

const STDERR_CHARS = 4_000

/** All variables of a process that only computes. */
export const BARE_ENVIRONMENT = { HOME: '/tmp', PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }

export type CommandRun = { readonly command: readonly string[]; readonly input: string; readonly limits: Limits }

/** Runs in an empty folder, so that relative imports of a source find no file. */
export async function runCommand({ command, input, limits }: CommandRun, signal: AbortSignal): Promise<RunResult> {
  const folder = await mkdtemp(join(tmpdir(), 'firstlight-compile-'))
  try {
    return await runIn(folder, { command, input, limits }, signal)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function runIn(cwd: string, { command, input, limits }: CommandRun, signal: AbortSignal): Promise<RunResult> {
  const { promise, resolve, reject } = Promise.withResolvers<RunResult>()
  const [file, ...args] = command
  const child = spawn(file!, args, {
    cwd,
    stdio: 'pipe',
    env: BARE_ENVIRONMENT,
  })
  if (child.pid === undefined) {
    child.on('error', (error) =>
      resolve({ type: 'crashed', message: `${file} could not be started: ${error.message}` }),
    )
    return promise
  }
  const { exceeded, stop } = limitProcess(child.pid, limits)
  const chunks: Uint8Array[] = []
  let received = 0
  let stderr = ''
  const end = (result: RunResult): void => {
    child.kill('SIGKILL')
    resolve(result)
  }
  const abort = (): void => {
    child.kill('SIGKILL')
    reject(signal.reason)
  }
  void exceeded.then((limit) => end(timeOrMemoryExceeded(limit, limits)))
  signal.addEventListener('abort', abort, { once: true })
  child.stdout.on('data', (chunk: Uint8Array) => {
    received += chunk.length
    if (received <= limits.outputBytes) chunks.push(chunk)
    else
      end({
        type: 'over',
        limit: 'output',
        message: `The compiler’s output is over the limit of ${limits.outputBytes} bytes`,
      })
  })
  child.stderr.on('data', (chunk: Uint8Array) => {
    stderr = `${stderr}${chunk}`.slice(-STDERR_CHARS)
  })
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  child.on('close', (code, killedBy) => {
    stop()
    signal.removeEventListener('abort', abort)
    if (received > 0) resolve({ type: 'output', output: Buffer.concat(chunks).toString() })
    else resolve({ type: 'crashed', message: `The compiler ended with ${killedBy ?? code}: ${stderr.trim()}` })
  })
  child.stdin.end(input)
  if (signal.aborted) abort()
  return promise
}
