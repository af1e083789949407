// A node that executes the 54 blocks of the execution-apis chain and serves them. It lies beside the repository and needs packages of
// its own, which are installed under node_modules.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import { installedPackages } from './installed-packages.ts'

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url))
const checks = join(shared, 'tools/checks')
const chain = join(shared, 'fixtures/execution-apis')

export const hasHiveChain = existsSync(join(checks, 'upstream/hive-upstream.mjs')) && existsSync(chain)
if (!hasHiveChain) console.log('no execution-apis chain beside the repository: nothing is served from it')

export const HIVE_GENESIS = join(chain, 'genesis.json')

export async function startHiveNode(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await installedPackages('checks', checks)
  const program = join(folder, 'hive-upstream.mjs')
  copyFileSync(join(checks, 'upstream/hive-upstream.mjs'), program)
  const port = await freePort()
  const child = spawn(process.execPath, [program, chain, port], { stdio: ['ignore', 'pipe', 'inherit'] })
  await listening(child)
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

async function listening(child: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: child.stdout! })) {
    if (!/listen|http:\/\//i.test(line)) continue
    child.stdout!.resume()
    return
  }
  throw new Error('the node ended before it listened')
}
