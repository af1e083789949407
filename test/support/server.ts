// A whole Firstlight as a user runs it: its own process, its own data folder, a free port.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiCredentials } from '../../src/client/sign.ts'
import { type FirstlightProcess, startFirstlight } from './firstlight-process.ts'

/** Without the indexer: an explorer endpoint that is reached answers 50001, which tests of everything before it look for. */
const ROLES_WITHOUT_INDEX = 'api,rpc,relay,verifier,web'

/** Chains of tests stand still on purpose, and recorded ones have done so for years. */
const NEVER_MS = '10000000000000'

export type TestServer = FirstlightProcess & { url: string; credentials: ApiCredentials }

export async function startTestServer(
  environment: Record<string, string> = {},
  options: { dataDir?: string; keepData?: boolean } = {},
): Promise<TestServer> {
  const defaults = { PORT: '0', DEVNET_PORT: '0', ROLES: ROLES_WITHOUT_INDEX, NODE_STALE_MS: NEVER_MS }
  const running = await startFirstlight(['dev'], { ...defaults, ...environment }, options)
  const [, url] = /Operator\s+(http:\/\/\S+)\/health/.exec(running.output())!
  const credentials = JSON.parse(readFileSync(join(running.dataDir, 'dev-key.json'), 'utf8')) as ApiCredentials
  return { ...running, url: url!, credentials }
}
