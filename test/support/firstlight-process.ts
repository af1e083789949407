// Any command of Firstlight that goes on until it is stopped, in a process and a data folder of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const AS_NPM_START = '--max-semi-space-size=16'
/** Within the time of a hook. */
const START_TIMEOUT_MS = 110_000

export type FirstlightProcess = {
  pid: number
  dataDir: string
  /** Everything it printed so far. */
  output: () => string
  exitCode: () => number | null
  /** Sends the signal and gives the exit code; null when a signal ended it. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Ends with the banner, or fails with what was printed. */
export async function startFirstlight(
  words: readonly string[],
  environment: Record<string, string>,
  options: { dataDir?: string; keepData?: boolean } = {},
): Promise<FirstlightProcess> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'firstlight-'))
  const child = spawn(process.execPath, [AS_NPM_START, main, ...words], {
    cwd: dataDir,
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const add = (chunk: Buffer) => {
    printed += chunk
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const running: FirstlightProcess = {
    pid: child.pid!,
    dataDir,
    output: () => printed,
    exitCode: () => child.exitCode,
    stop: async (signal = 'SIGTERM') => {
      await ended(child, signal)
      // Again where a process that it started, and that is about to end, wrote in between.
      if (!options.keepData) rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
      return child.exitCode
    },
  }
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!printed.includes('Ctrl-C stops')) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      await running.stop('SIGKILL')
      throw new Error(`firstlight ${words.join(' ')} did not start; it printed:\n${printed}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return running
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}
