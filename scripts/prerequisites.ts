// The programs that tests need beyond npm. Each is found, or installed with apt where that is allowed, or the error says what to do.
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { capture, run } from './run.ts'

export class Missing extends Error {
  override readonly name = 'Missing'
}

/** For scripts that need a program which `npm test` does not: one sentence and exit code 2 where it is missing. */
export function exitWhenMissing(thrown: unknown): never {
  if (!(thrown instanceof Missing)) throw thrown
  console.error(thrown.message)
  process.exit(2)
}

/** Folder of PostgreSQL's server programs (initdb, postgres). */
export function postgresPrograms(): Promise<string> {
  return found('PostgreSQL', ['postgresql'], () => {
    const debian = '/usr/lib/postgresql'
    const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
    const folders = [...versions.map((version) => join(debian, version, 'bin')), ...pathFolders()]
    return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
  })
}

/** Path of a Chromium. */
export function chromiumProgram(): Promise<string> {
  return found('Chromium', ['chromium'], () =>
    pathFolders()
      .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
      .find((file) => existsSync(file)),
  )
}

/** npm on an older Node skips packages of this platform that require a newer Node, although the tests run on a newer one. */
export async function completeInstall(): Promise<void> {
  const folder = fileURLToPath(new URL('../node_modules/@nomicfoundation/', import.meta.url))
  if (readdirSync(folder).some((name) => name.startsWith('edr-'))) return
  const npm = process.env.npm_execpath
  if (!npm) throw new Missing('some packages of this platform are not installed: run the tests with `npm test`')
  console.log('installing the packages that npm skipped ...')
  const { code, output } = await capture('node', [npm, 'install', '--no-save'])
  if (code !== 0) throw new Missing(`npm install failed:\n${output}`)
}

function pathFolders(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter(Boolean)
}

async function found(name: string, packages: readonly string[], look: () => string | undefined): Promise<string> {
  const there = look()
  if (there) return there
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Missing(`${name} is needed for the tests: install it (Debian: apt-get install ${packages.join(' ')})`)
  }
  console.log(`installing ${name} (apt-get install ${packages.join(' ')}) ...`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await capture('apt-get', ['update', '-q'], { env: environment })
  const code = await run('apt-get', ['install', '-qy', '--no-install-recommends', ...packages], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const now = look()
  if (code !== 0 || !now) throw new Missing(`${name} is needed for the tests and could not be installed by apt-get`)
  return now
}
