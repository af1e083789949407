import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ApiCredentials } from '../../src/client/sign.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const run = promisify(execFile)

/** What one command prints, run in a process of its own; rejects when it fails. */
export async function outputOf(dataDir: string, ...words: string[]): Promise<string> {
  return (await run(process.execPath, [main, ...words], { cwd: dataDir, env: { ...process.env, DATA_DIR: dataDir } }))
    .stdout
}

export async function issueKey(dataDir: string, name: string): Promise<ApiCredentials> {
  return JSON.parse(
    await outputOf(dataDir, 'keys', 'create', '--name', name, '--passphrase', `passphrase of ${name}`, '--json'),
  )
}
