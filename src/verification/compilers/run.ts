// A helper program (npm, python, a compiler asked for its version) run to its end: what it printed, or why it failed in a line.
import { execFile } from 'node:child_process'

export type Ran =
  | { readonly type: 'done'; readonly stdout: string }
  | { readonly type: 'failed'; readonly reason: string }

export type RunOptions = { readonly signal: AbortSignal; readonly timeoutMs: number; readonly cwd?: string }

const MAX_OUTPUT_BYTES = 16_000_000
const REASON_CHARS = 300

export const run = (command: string, args: readonly string[], options: RunOptions): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const { signal, timeoutMs, cwd } = options
    execFile(
      command,
      args,
      { signal, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES, ...(cwd && { cwd }) },
      (error, stdout, stderr) => {
        if (signal.aborted) return reject(signal.reason)
        if (!error) return resolve({ type: 'done', stdout })
        resolve({ type: 'failed', reason: reasonOf(command, error, stderr) })
      },
    )
  })

const reasonOf = (command: string, error: Error & { code?: unknown; killed?: boolean }, stderr: string): string => {
  if (error.code === 'ENOENT') return `${command} is not installed`
  if (error.killed) return `${command} took too long`
  const lines = stderr
    .split('\n')
    .filter((line) => /error/i.test(line) && !/A complete log|Ignored the following/.test(line))
  return (lines.slice(0, 2).join('; ') || stderr.trim() || error.message).slice(0, REASON_CHARS)
}
