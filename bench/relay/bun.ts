// Installs Bun for the comparison from the package registry, in the temporary folder, where the next run finds it.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const INSTALL_TIMEOUT_MS = 120_000

/** Path of the program, or undefined where it cannot be installed. */
export async function installedBun(): Promise<string | undefined> {
  const folder = join(tmpdir(), 'firstlight-bench-bun')
  const program = join(folder, 'node_modules', '.bin', 'bun')
  try {
    if (!existsSync(program)) {
      const options = ['--prefix', folder, '--no-audit', '--no-fund', '--no-save', 'bun@1']
      await promisify(execFile)('npm', ['install', ...options], { timeout: INSTALL_TIMEOUT_MS })
    }
    await promisify(execFile)(program, ['--version'])
    return program
  } catch {
    return undefined
  }
}
