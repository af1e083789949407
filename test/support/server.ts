// A whole Firstlight as a user runs it: its own process, its own data folder, a free port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ApiCredentials } from '../../src/client/sign.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const START_TIMEOUT_MS = 60_000
/** Without the indexer: an explorer endpoint that is reached answers 50001, which tests of everything before it look for. */
const ROLES_WITHOUT_INDEX = 'api,rpc,relay,verifier,web'

export type TestServer = {
  url: string
  pid: number
  dataDir: string
  credentials: ApiCredentials
  /** Everything it printed so far. */
  output: () => string
  /** Sends the signal and gives the exit code (null when a signal ended it) and how long it took. */
  stop: (signal?: NodeJS.Signals) => Promise<{ code: number | null; tookMs: number }>
}

export const startTestServer = async (
  environment: Record<string, string> = {},
  options: { dataDir?: string; keepData?: boolean } = {},
): Promise<TestServer> => {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'firstlight-'))
  const child = spawn(process.execPath, [main, 'dev'], {
    cwd: dataDir,
    env: {
      ...process.env,
      PORT: '0',
      DEVNET_PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      ROLES: ROLES_WITHOUT_INDEX,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = collectOutput(child)
  const url = await bannerUrl(child, printed)
  const credentials = JSON.parse(readFileSync(join(dataDir, 'dev-key.json'), 'utf8')) as ApiCredentials
  return {
    url,
    pid: child.pid!,
    dataDir,
    credentials,
    output: printed,
    stop: async (signal = 'SIGTERM') => {
      const startedMs = Date.now()
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await once(child, 'exit')
      }
      if (!options.keepData) rmSync(dataDir, { recursive: true, force: true })
      return { code: child.exitCode, tookMs: Date.now() - startedMs }
    },
  }
}

const collectOutput = (child: ChildProcess): (() => string) => {
  let text = ''
  const add = (chunk: Buffer) => {
    text += chunk
  }
  child.stdout!.on('data', add)
  child.stderr!.on('data', add)
  return () => text
}

const bannerUrl = (child: ChildProcess, printed: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${reason}; it printed:\n${printed()}`))
    const timer = setTimeout(() => fail('the server did not start in time'), START_TIMEOUT_MS)
    child.once('exit', (code) => fail(`the server ended with code ${code}`))
    child.stdout!.on('data', () => {
      const url = /Operator\s+(http:\/\/\S+)\/health/.exec(printed())?.[1]
      if (!url || !printed().includes('Ctrl-C stops')) return
      clearTimeout(timer)
      resolve(url)
    })
  })
