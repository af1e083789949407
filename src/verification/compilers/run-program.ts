// Runs a helper program (npm, python, a compiler that is asked for its version) to its end. The result is its output, or one line with
// the reason of its failure. Processes that it started end with it.
import { spawn } from 'node:child_process'

export type ProgramResult =
  | { readonly type: 'done'; readonly stdout: string }
  | { readonly type: 'failed'; readonly reason: string }

export type RunOptions = {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly cwd?: string
  /** All variables that it gets: those of this process contain secrets. */
  readonly env: Readonly<Record<string, string>>
}

const MAX_OUTPUT_CHARS = 16_000_000
const REASON_CHARS = 300

/** Throws when the signal aborts, after the program has ended. */
export function runProgram(command: string, args: readonly string[], options: RunOptions): Promise<ProgramResult> {
  const { signal, timeoutMs, cwd, env } = options
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>()
  if (signal.aborted) return Promise.reject(signal.reason)
  // Detached, so that it has a process group of its own, which can be killed as a whole.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  let failure: string | undefined
  const end = (reason: string): void => {
    failure ??= reason
    killGroup(child.pid)
  }
  const abort = (): void => end('it was aborted')
  const timer = setTimeout(() => end(`${command} took too long`), timeoutMs)
  signal.addEventListener('abort', abort, { once: true })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (stdout.length > MAX_OUTPUT_CHARS) end(`${command} printed too much`)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-MAX_OUTPUT_CHARS)
  })
  child.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error.code === 'ENOENT' ? `${command} is not installed` : error.message
  })
  child.on('close', (code, killedBy) => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    if (signal.aborted) return reject(signal.reason)
    if (code === 0 && failure === undefined) return resolve({ type: 'done', stdout })
    const reason = failure ?? errorLinesOf(stderr) ?? `${command} ended with ${killedBy ?? code}`
    resolve({ type: 'failed', reason: reason.slice(0, REASON_CHARS) })
  })
  return promise
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** The lines of stderr that name the error. */
function errorLinesOf(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .filter((line) => /error/i.test(line) && !/A complete log|Ignored the following/.test(line))
  return lines.slice(0, 2).join('; ') || stderr.trim() || undefined
}
