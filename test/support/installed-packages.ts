// Packages that only some tests need, laid down by npm in a folder of their own. `test/packages/<name>/` holds package.json and
// package-lock.json; they are installed under node_modules/.cache, once a lock file, whichever test comes first.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const cacheDir = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))
const INSTALL_TIMEOUT_MS = 300_000
const POLL_MS = 200

/** The folder with the `node_modules` in it. `sourceDir` is where its package.json and lock file are. */
export async function installedPackages(name: string, sourceDir: string): Promise<string> {
  const lock = readFileSync(join(sourceDir, 'package-lock.json'))
  const folder = join(cacheDir, `${name}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`)
  const done = join(folder, '.done')
  const claim = `${folder}.claim`
  mkdirSync(cacheDir, { recursive: true })
  const deadlineMs = Date.now() + INSTALL_TIMEOUT_MS
  while (!existsSync(done)) {
    if (Date.now() > deadlineMs)
      throw new Error(`${name} was not installed in time; remove ${claim} if nobody is at it`)
    if (!claimed(claim)) {
      await delay(POLL_MS)
      continue
    }
    try {
      mkdirSync(folder, { recursive: true })
      for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(sourceDir, file), join(folder, file))
      await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: folder,
        timeout: INSTALL_TIMEOUT_MS,
      })
      writeFileSync(done, '')
    } finally {
      rmSync(claim, { recursive: true, force: true })
    }
  }
  return folder
}

/** Making a folder is what only one of several processes succeeds in. */
function claimed(claim: string): boolean {
  try {
    mkdirSync(claim)
    return true
  } catch {
    return false
  }
}
