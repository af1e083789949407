// The lock of a Vyper installation: every wheel that belongs to it, with its hash. The first installation of a version resolves it and
// records it, so that every later one must be the same bytes. The hashes of Vyper's own wheels are known beforehand.
import { readFileSync } from 'node:fs'

export type LockedWheel = { readonly name: string; readonly version: string; readonly sha256: string }

export type Lock =
  | { readonly type: 'lock'; readonly wheels: readonly LockedWheel[] }
  | { readonly type: 'refused'; readonly reason: string }

/** What pip writes for `--report`, as far as it is read. */
type PipReport = {
  readonly install?: readonly {
    readonly metadata?: { readonly name?: string; readonly version?: string }
    readonly download_info?: {
      readonly url?: string
      readonly archive_info?: { readonly hash?: string; readonly hashes?: { readonly sha256?: string } }
    }
  }[]
}

/**
 * The lock that pip would install. Refuses what is not a wheel, has no hash, or is a Vyper with another hash than the known one, or than the
 * one in `earlier`: locks of the same version that were recorded for another Python.
 */
export function lockFromReport(report: string, earlier: readonly string[] = []): Lock {
  const wheels: LockedWheel[] = []
  for (const { metadata, download_info: download } of (JSON.parse(report) as PipReport).install ?? []) {
    const { name, version } = metadata ?? {}
    const sha256 =
      download?.archive_info?.hashes?.sha256 ?? /^sha256=(.*)$/.exec(download?.archive_info?.hash ?? '')?.[1]
    if (!name || !version || !WORD.test(name) || !WORD.test(version))
      return refused('pip reports a package without a name')
    if (!download?.url?.endsWith('.whl')) return refused(`${name} ${version} is published without a wheel`)
    if (!sha256 || !SHA256.test(sha256)) return refused(`the package index has no hash of ${name} ${version}`)
    const known = name.toLowerCase() === 'vyper' ? knownWheels.get(version) : undefined
    const recorded = name.toLowerCase() === 'vyper' ? earlier.map((lock) => hashIn(lock, version)) : []
    if ([known, ...recorded].some((each) => each !== undefined && each !== sha256)) {
      return refused(`the wheel of vyper ${version} in the package index is not the one that was published`)
    }
    wheels.push({ name, version, sha256 })
  }
  return wheels.length > 0 ? { type: 'lock', wheels } : refused('pip reports nothing to install')
}

export function isKnownVyper(version: string): boolean {
  return knownWheels.has(version)
}

/** As pip reads it with `--require-hashes`. */
export function lockText(wheels: readonly LockedWheel[]): string {
  return wheels.map(({ name, version, sha256 }) => `${name}==${version} --hash=sha256:${sha256}\n`).join('')
}

function hashIn(lock: string, version: string): string | undefined {
  return lock
    .split('\n')
    .find((line) => line.startsWith(`vyper==${version} `))
    ?.split('sha256:')[1]
}

const WORD = /^[A-Za-z0-9][A-Za-z0-9._+!-]{0,100}$/
const SHA256 = /^[0-9a-f]{64}$/

function refused(reason: string): Lock {
  return { type: 'refused', reason }
}

/** SHA-256 of the wheel of each release, as PyPI publishes it: `npm run vyper-wheels` writes the file. */
const knownWheels: ReadonlyMap<string, string> = new Map(
  readFileSync(new URL('./vyper-wheels.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ') as [string, string]),
)
