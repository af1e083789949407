// solc from npm: fetched with the npm client, and so from the registry that it is configured for. The version of a package is what its
// compiler reports, not the version of the package: solc@0.8.7 contains 0.7.5.
import { createHash } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { FetchStep, FolderStep } from './fetch-step.ts'
import type { PublishedVersions } from './published-versions.ts'

export type SoljsonRecord = {
  readonly file: string
  readonly package: string
  readonly build: string
  readonly longVersion: string
  readonly sha256: string
}

export type BuildOf = (file: string, signal: AbortSignal) => Promise<{ build: string; longVersion: string } | string>

export type NpmSolc = {
  readonly folder: string
  readonly fetching: FetchStep
  /** Loads a soljson file and asks it for its version; a string is the reason why that fails. */
  readonly buildOf: BuildOf
}

export type Fetched =
  | { readonly type: 'fetched'; readonly record: SoljsonRecord }
  | { readonly type: 'unavailable'; readonly reason: string }

const NPM_TIMEOUT_MS = 180_000
const LIST_TIMEOUT_MS = 30_000

/** Every release that the registry has, oldest first; empty where npm fails. */
export async function solcReleases(
  npmSolc: Pick<NpmSolc, 'folder' | 'fetching'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const listed = await solcPackages(npmSolc, signal)
  return listed.type === 'failed' ? [] : listed.versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version))
}

/** Every version of the package, those included that are not releases. */
export function solcPackages(
  { folder, fetching }: Pick<NpmSolc, 'folder' | 'fetching'>,
  signal: AbortSignal,
): Promise<PublishedVersions> {
  return fetching.inNewFolder(folder, async (step) => {
    const listed = await npm(step, ['view', 'solc', 'versions', '--json'], { signal, timeoutMs: LIST_TIMEOUT_MS })
    if (listed.type === 'failed') return { type: 'failed', reason: `npm cannot list solc: ${listed.reason}` }
    return { type: 'listed', versions: JSON.parse(listed.stdout) as string[] }
  })
}

/** Puts the soljson file of a package into the folder, and a record of it beside it. It may be another version than that of the package. */
export function fetchSolcPackage(npmSolc: NpmSolc, packageVersion: string, signal: AbortSignal): Promise<Fetched> {
  const { folder, fetching } = npmSolc
  return fetching.inNewFolder(folder, (step) => fetchInto(step, npmSolc, `solc@${packageVersion}`, signal))
}

async function fetchInto(
  step: FolderStep,
  { folder, buildOf }: NpmSolc,
  name: string,
  signal: AbortSignal,
): Promise<Fetched> {
  const options = { signal, timeoutMs: NPM_TIMEOUT_MS }
  const viewed = await npm(step, ['view', name, 'dist', '--json'], options)
  const exists = viewed.type === 'failed' ? !viewed.reason.includes('E404') : viewed.stdout.trim() !== ''
  if (!exists) return unavailable(`npm has no ${name}`)
  if (viewed.type === 'failed') return unavailable(`npm cannot fetch ${name}: ${viewed.reason}`)
  const packed = await npm(step, ['pack', name, '--json', '--ignore-scripts'], options)
  if (packed.type === 'failed') return unavailable(`npm cannot fetch ${name}: ${packed.reason}`)
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
  const tarball = await readFile(join(step.folder, filename.replace(/^.*\//, '')))
  if (!isIntact(tarball, JSON.parse(viewed.stdout)))
    return unavailable(`the tarball of ${name} does not have the published hash`)

  const soljson = fileFromTarball(tarball, 'package/soljson.js')
  if (!soljson) return unavailable(`${name} contains no soljson.js`)
  const unpacked = join(step.folder, 'soljson.js')
  await writeFile(unpacked, soljson)
  const loaded = await buildOf(unpacked, signal)
  if (typeof loaded === 'string') return unavailable(`${name} does not load: ${loaded}`)

  const file = join(folder, `solc-${loaded.longVersion}.js`)
  const record = { file, package: name, ...loaded, sha256: sha256(soljson) }
  await rename(unpacked, file)
  await writeFile(join(step.folder, 'record.json'), `${JSON.stringify(record, null, 2)}\n`)
  // The record is written last, so that every record has its file.
  await rename(join(step.folder, 'record.json'), recordFile(file))
  return { type: 'fetched', record }
}

/** The packages that were fetched into the folder before. */
export async function fetchedSolcs(folder: string): Promise<readonly SoljsonRecord[]> {
  const names = (await readdir(folder)).filter((name) => /^solc-.*\.js$/.test(name))
  const records = names.map(async (name) => {
    const file = join(folder, name)
    const text = await readFile(recordFile(file), 'utf8').catch(() => undefined)
    return text === undefined ? [] : [{ ...(JSON.parse(text) as SoljsonRecord), file }]
  })
  return (await Promise.all(records)).flat()
}

export async function isUnchanged({ file, sha256: expected }: SoljsonRecord): Promise<boolean> {
  return sha256(await readFile(file)) === expected
}

function recordFile(file: string): string {
  return file.replace(/\.js$/, '.json')
}

function sha256(bytes: Uint8Array): string {
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

/** Few retries: somebody waits, and a registry that is away is asked again with the next submission. */
const QUICK = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=20000', '--no-update-notifier']

function npm(step: FolderStep, args: readonly string[], options: Parameters<FolderStep['run']>[1]) {
  return step.run(['npm', ...args, ...QUICK], options)
}

function unavailable(reason: string): Fetched {
  return { type: 'unavailable', reason }
}

const BLOCK_BYTES = 512
const NAME_BYTES = 100
const SIZE_AT = 124
const SIZE_DIGITS = 12
const MAX_UNPACKED_BYTES = 200_000_000

/** One file of a gzipped tar archive as npm packs it. */
export function fileFromTarball(tarball: Uint8Array, path: string): Uint8Array | undefined {
  const archive = gunzipSync(tarball, { maxOutputLength: MAX_UNPACKED_BYTES })
  for (let at = 0; at + BLOCK_BYTES <= archive.length; ) {
    const name = archive.toString('utf8', at, at + NAME_BYTES).replace(/\0.*$/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + SIZE_AT, at + SIZE_AT + SIZE_DIGITS), 8) || 0
    const start = at + BLOCK_BYTES
    if (name === path) return archive.subarray(start, start + size)
    at = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
  }
  return undefined
}
