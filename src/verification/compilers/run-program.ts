// A helper program (npm, python, a compiler asked for its version) run to its end: what it printed, or why it failed in a line.
// Whatever it started itself ends with it.
import { spawn } from 'node:child_process'

export type Ran =
  | { readonly type: 'done'; readonly stdout: string }
  | { readonly type: 'failed'; readonly reason: string }

export type RunOptions = { readonly signal: AbortSignal; readonly timeoutMs: number; readonly cwd?: string }

const MAX_OUTPUT_CHARS = 16_000_000
const REASON_CHARS = 300

/** Throws when the signal aborts, once the program is gone. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const { signal, timeoutMs, cwd } = options
  const { promise, resolve, reject } = Promise.withResolvers<Ran>()
  if (signal.aborted) return Promise.reject(signal.reason)
  // In a group of its own, which can be ended as a whole.
  const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  let failure: string | undefined
  const end = (reason: string): void => {
    failure ??= reason
    endGroup(child.pid)
  }
  const abort = (): void => end('it was not wanted any more')
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
    const reason = failure ?? complaintIn(stderr) ?? `${command} ended with ${killedBy ?? code}`
    resolve({ type: 'failed', reason: reason.slice(0, REASON_CHARS) })
  })
  return promise
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

/** The lines that name the error, out of all that was said. */
function complaintIn(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .filter((line) => /error/i.test(line) && !/A complete log|Ignored the following/.test(line))
  return lines.slice(0, 2).join('; ') || stderr.trim() || undefined
}
