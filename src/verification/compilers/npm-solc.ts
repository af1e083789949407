// solc as npm has it: the package of a version, by the npm client and so from the registry that it is configured for. What a
// package contains is what its compiler says, not what the package is called: solc@0.8.7 contains 0.7.5.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Ran, type RunOptions, run } from './run-program.ts'

export type SoljsonRecord = {
  readonly file: string
  readonly package: string
  readonly build: string
  readonly longVersion: string
  readonly sha256: string
}

export type NpmSolc = {
  readonly folder: string
  /** Loads a soljson file and asks it for its version. */
  readonly buildOf: (file: string, signal: AbortSignal) => Promise<{ build: string; longVersion: string } | string>
}

export type Fetched =
  | { readonly type: 'fetched'; readonly record: SoljsonRecord }
  | { readonly type: 'unavailable'; readonly reason: string }

const NPM_MS = 180_000

/** Every release that the registry has. */
export async function solcReleases(signal: AbortSignal): Promise<readonly string[]> {
  const listed = await npm(['view', 'solc', 'versions', '--json'], { signal, timeoutMs: NPM_MS })
  if (listed.type === 'failed') return []
  return (JSON.parse(listed.stdout) as string[]).filter((version) => /^\d+\.\d+\.\d+$/.test(version))
}

/** The package into the folder, beside a record of what it is. It may contain another version than its name says. */
export async function fetchSolcPackage(
  { folder, buildOf }: NpmSolc,
  packageVersion: string,
  signal: AbortSignal,
): Promise<Fetched> {
  const name = `solc@${packageVersion}`
  const workshop = await mkdtemp(join(folder, '.fetch-'))
  const options = { signal, timeoutMs: NPM_MS, cwd: workshop }
  try {
    const viewed = await npm(['view', name, 'dist', '--json'], options)
    const isThere = viewed.type === 'failed' ? !viewed.reason.includes('E404') : viewed.stdout.trim() !== ''
    if (!isThere) return unavailable(`npm has no ${name}`)
    if (viewed.type === 'failed') return unavailable(`npm does not give ${name}: ${viewed.reason}`)
    const packed = await npm(['pack', name, '--json', '--ignore-scripts'], options)
    if (packed.type === 'failed') return unavailable(`npm does not give ${name}: ${packed.reason}`)
    const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
    const tarball = await readFile(join(workshop, filename.replace(/^.*\//, '')))
    if (!isIntact(tarball, JSON.parse(viewed.stdout)))
      return unavailable(`the tarball of ${name} is not the published one`)

    const soljson = fileFromTarball(tarball, 'package/soljson.js')
    if (soljson === null) return unavailable(`${name} contains no compiler`)
    const loose = join(workshop, 'soljson.js')
    await writeFile(loose, soljson)
    const said = await buildOf(loose, signal)
    if (typeof said === 'string') return unavailable(`${name} does not load: ${said}`)

    const file = join(folder, `solc-${said.longVersion}.js`)
    const record = { file, package: name, ...said, sha256: sha256(soljson) }
    await rename(loose, file)
    await writeFile(join(workshop, 'record.json'), `${JSON.stringify(record, null, 2)}\n`)
    // Last, so that a record always has its file.
    await rename(join(workshop, 'record.json'), recordFile(file))
    return { type: 'fetched', record }
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

export function recordFile(file: string): string {
  return file.replace(/\.js$/, '.json')
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

type Dist = { readonly integrity?: string; readonly shasum?: string }

function isIntact(tarball: Uint8Array, { integrity, shasum }: Dist): boolean {
  const hashOf = (algorithm: string, encoding: 'base64' | 'hex') =>
    createHash(algorithm).update(tarball).digest(encoding)
  const strong = integrity?.split(' ').find((hash) => hash.startsWith('sha512-'))
  if (strong) return strong === `sha512-${hashOf('sha512', 'base64')}`
  return shasum !== undefined && shasum === hashOf('sha1', 'hex')
}

function npm(args: readonly string[], options: RunOptions): Promise<Ran> {
  return run('npm', args, options)
}

function unavailable(reason: string): Fetched {
  return { type: 'unavailable', reason }
}

// One file out of a gzipped tar archive, as npm packs them.

const BLOCK_BYTES = 512
const NAME_BYTES = 100
const SIZE_AT = 124
const SIZE_DIGITS = 12
const MAX_UNPACKED_BYTES = 200_000_000

export function fileFromTarball(tarball: Uint8Array, path: string): Uint8Array | null {
  const archive = gunzipSync(tarball, { maxOutputLength: MAX_UNPACKED_BYTES })
  for (let at = 0; at + BLOCK_BYTES <= archive.length; ) {
    const name = archive.toString('utf8', at, at + NAME_BYTES).replace(/\0.*$/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + SIZE_AT, at + SIZE_AT + SIZE_DIGITS), 8) || 0
    const start = at + BLOCK_BYTES
    if (name === path) return archive.subarray(start, start + size)
    at = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
  }
  return null
}
