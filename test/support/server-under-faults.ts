// A whole server in a process of its own that a test stops, freezes or takes things away from, and what its /ready says meanwhile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const POLL_MS = 200
const ANSWER_MS = 8_000

export type Ready = {
  readonly ready: boolean
  readonly reasons: readonly string[]
  readonly warnings: readonly string[]
}

export type ServerUnderFaults = {
  readonly url: string
  /** Nothing while the process does not answer. */
  ready(): Promise<Ready | undefined>
  /** The highest block that an answer shows; undefined where it cannot be read. */
  indexed(): Promise<number | undefined>
  signal(signal: NodeJS.Signals): void
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startServerUnderFaults(
  environment: Record<string, string>,
  { command = 'start' }: { command?: 'start' | 'dev' } = {},
): Promise<ServerUnderFaults> {
  const port = environment.PORT ?? (await freePort())
  const fixed = {
    PORT: port,
    ROLES: 'indexer,api',
    AUTH: 'off',
    BALANCE_SAMPLES: '0',
    RATE_LIMIT_IP: '0',
    LOG_LEVEL: 'error',
    // The blocks of a recorded chain are years old.
    NODE_STALE_MS: '10000000000000',
  }
  const child = spawn(process.execPath, [main, command], {
    env: { ...process.env, ...fixed, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const ask = async <T>(path: string): Promise<T | undefined> => {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`)
    if (child.signalCode !== null) return undefined
    try {
      return (await (await fetch(url + path, { signal: AbortSignal.timeout(ANSWER_MS) })).json()) as T
    } catch {
      return undefined
    }
  }
  const gone = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return {
    url,
    ready: async () => {
      const answer = await ask<Ready>('/ready')
      return answer && { ...answer, warnings: answer.warnings ?? [] }
    },
    indexed: async () => (await ask<{ heights: { indexed: number | null } }>('/status'))?.heights.indexed ?? undefined,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL')
      await gone()
    },
    async stop() {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await gone()
    },
  }
}

/** How many milliseconds it took until it was so; throws past the limit. */
export async function msUntil(what: string, isSo: () => Promise<boolean>, atMostMs: number): Promise<number> {
  const startedMs = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startedMs > atMostMs) throw new Error(`${what}: not within ${atMostMs / 1000} s`)
    await pause(POLL_MS)
  }
  return Math.round(performance.now() - startedMs)
}
