// One input through an executable that reads stdin and writes stdout, within limits.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { watchProcess } from './process-limits.ts'
import type { CompileOutcome, Limits } from './program.ts'

const STDERR_CHARS = 4_000

export type Run = { readonly command: readonly string[]; readonly input: string; readonly limits: Limits }

/** In an empty folder, which is all that a compiler's relative imports could read. */
export async function runCommand({ command, input, limits }: Run, signal: AbortSignal): Promise<CompileOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'firstlight-compile-'))
  try {
    return await runIn(folder, { command, input, limits }, signal)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function runIn(cwd: string, { command, input, limits }: Run, signal: AbortSignal): Promise<CompileOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<CompileOutcome>()
  const [file, ...args] = command
  const child = spawn(file!, args, { cwd, stdio: 'pipe', env: { HOME: cwd, PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' } })
  if (child.pid === undefined) {
    child.on('error', (error) =>
      resolve({ type: 'crashed', message: `${file} could not be started: ${error.message}` }),
    )
    return promise
  }
  const watch = watchProcess(child.pid, limits)
  const chunks: Uint8Array[] = []
  let received = 0
  let complaint = ''
  const end = (outcome: CompileOutcome): void => {
    child.kill('SIGKILL')
    resolve(outcome)
  }
  const abort = (): void => {
    child.kill('SIGKILL')
    reject(signal.reason)
  }
  void watch.over.then((limit) => {
    const allowed = limit === 'time' ? `${limits.wallMs / 1000} s` : `${Math.round(limits.memoryBytes / 2 ** 20)} MiB`
    end({ type: 'over', limit, message: `The compiler took more than ${allowed} and was stopped` })
  })
  signal.addEventListener('abort', abort, { once: true })
  child.stdout.on('data', (chunk: Uint8Array) => {
    received += chunk.length
    if (received <= limits.outputBytes) chunks.push(chunk)
    else end({ type: 'over', limit: 'output', message: 'The compiler’s output is too large to take' })
  })
  child.stderr.on('data', (chunk: Uint8Array) => {
    complaint = `${complaint}${chunk}`.slice(-STDERR_CHARS)
  })
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  child.on('close', (code, killedBy) => {
    watch.stop()
    signal.removeEventListener('abort', abort)
    if (received > 0) resolve({ type: 'output', output: Buffer.concat(chunks).toString() })
    else resolve({ type: 'crashed', message: `The compiler ended with ${killedBy ?? code}: ${complaint.trim()}` })
  })
  child.stdin.end(input)
  if (signal.aborted) abort()
  return promise
}
