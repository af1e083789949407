// The compilers of this machine, and how to get one that is not there yet: first the operator's own, then those that were fetched
// before, then the package index. A version is fetched once, however many submissions need it.
import { mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { createSemaphore } from '../../lib/async/semaphore.ts'
import { unlessAborted } from '../../lib/async/wait.ts'
import type { Compiler } from '../compile/compiler.ts'
import type { CompilePool } from '../compile/pool.ts'
import { compareVersions, longVersionOf, releaseOf } from '../input/compiler-version.ts'
import type { Language } from '../input/submission.ts'
import { createFetchStep, type FetchEnvironment } from './fetch-step.ts'
import {
  type BuildOf,
  fetchedSolcs,
  fetchSolcPackage,
  isUnchanged,
  type SoljsonRecord,
  solcPackages,
  solcReleases,
} from './npm-solc.ts'
import { binariesIn, buildOfCommand, type OperatorBinary, programOf } from './operator-binaries.ts'
import { createVersionList } from './published-versions.ts'
import { isKnownVyper } from './vyper-lock.ts'
import { installedVyper, installVyper, vyperReleases } from './vyper-venv.ts'

export type Compilers = {
  /** Fetches the compiler where it is not on this machine. */
  compiler: (language: Language, version: string, signal: AbortSignal) => Promise<AvailableCompiler>
  /** The compilers on this machine, oldest first. */
  list: () => Promise<readonly ListedCompiler[]>
  /** The releases of solc that can be fetched, oldest first; without a network those on this machine. */
  solidityReleases: (signal: AbortSignal) => Promise<readonly string[]>
  /** Ends fetches that are under way, and removes their files. */
  stop: () => Promise<void>
}

export type AvailableCompiler =
  | { readonly type: 'compiler'; readonly compiler: Compiler }
  | { readonly type: 'unavailable'; readonly reason: string }

export type ListedCompiler = Pick<Compiler, 'language' | 'version' | 'origin'> & { readonly file: string }

export type CompilersOptions = {
  /** `compilers` in the data folder. */
  readonly folder: string
  readonly compilersDir?: string | undefined
  readonly pool: Pick<CompilePool, 'versionOf' | 'sandbox'>
  /** For npm and pip. */
  readonly environment: FetchEnvironment
}

const RELEASES_CACHED_MS = 3_600_000
/** How long the answer that a compiler is unavailable is cached. */
const UNAVAILABLE_CACHED_MS = 60_000
/** Longer than any fetch takes, so that no process uses the files any more. */
const LEFTOVER_MS = 3_600_000
/** Fetching takes no compile slot, so it has a bound of its own. */
const FETCHES_AT_ONCE = 2

export function createCompilers({ folder, compilersDir, pool, environment }: CompilersOptions): Compilers {
  mkdirSync(folder, { recursive: true })
  // By language and version. An unavailable version is removed after a minute and released versions are few, so there is no bound.
  const lookups = new Map<string, Promise<AvailableCompiler>>()
  const stopping = new AbortController()
  const lifetime = stopping.signal
  const fetching = createFetchStep({ environment, sandbox: pool.sandbox })
  const fetches = createSemaphore(() => FETCHES_AT_ONCE)
  const solcList = createVersionList(async (signal) => {
    const packages = await solcPackages({ folder, fetching }, signal)
    // A corrected package has the suffix -fixed.
    return packages.type === 'failed' ? packages : { type: 'listed', versions: packages.versions.map(releaseOf) }
  })
  const vyperList = createVersionList((signal) => vyperReleases({ folder, fetching }, signal))
  let releases: { atMs: number; versions: readonly string[] } | undefined

  const buildOf: BuildOf = async (file, signal) => {
    const reported = await pool.versionOf(file, signal)
    if (reported.type !== 'output') return reported.message
    const longVersion = longVersionOf(reported.output)
    return longVersion ? { build: reported.output, longVersion } : `it calls itself ${reported.output}`
  }
  const soljsonAt = async (file: string, origin: Compiler['origin'], signal: AbortSignal) => {
    const loaded = await buildOf(file, signal)
    if (typeof loaded === 'string') return unavailable(`${file} does not load: ${loaded}`)
    return soljsonCompiler({ file, ...loaded }, origin)
  }

  const operatorCompiler = async (binary: OperatorBinary, signal: AbortSignal): Promise<AvailableCompiler> => {
    const program = await programOf(binary)
    if (program.type === 'soljson') return soljsonAt(program.file, 'COMPILERS_DIR', signal)
    const reported = await buildOfCommand(program.file, await pool.sandbox(), signal)
    if (typeof reported === 'string') return unavailable(`${binary.file} does not report its version: ${reported}`)
    const { build } = reported
    const longVersion = longVersionOf(build)
    if (longVersion === undefined) return unavailable(`${binary.file} does not report its version: ${build}`)
    const { language } = binary
    const version = releaseOf(longVersion)
    return available({ language, version, longVersion, build, program, origin: 'COMPILERS_DIR' })
  }

  const fetchSolidity = async (version: string, signal: AbortSignal): Promise<AvailableCompiler> => {
    const fetchedBefore = await fetchedSolcs(folder)
    const record = fetchedBefore.find(({ longVersion }) => releaseOf(longVersion) === version)
    if (record) {
      return (await isUnchanged(record))
        ? soljsonCompiler(record, 'fetched')
        : unavailable(`${record.file} has changed since it was fetched: remove it`)
    }
    return fetches.run(() => fetchFromNpm(version, signal), signal)
  }
  const fetchFromNpm = async (version: string, signal: AbortSignal): Promise<AvailableCompiler> => {
    const isPublished = await solcList.has(version, signal)
    if (isPublished === false) return unavailable(`npm has no solc@${version}`)
    if (isPublished !== true) return unavailable(isPublished.unknown)
    let reason = ''
    // A corrected package has the suffix -fixed.
    for (const packageVersion of [version, `${version}-fixed`]) {
      const fetched = await fetchSolcPackage({ folder, fetching, buildOf }, packageVersion, signal)
      if (fetched.type === 'unavailable') reason ||= fetched.reason
      else if (releaseOf(fetched.record.longVersion) === version) return soljsonCompiler(fetched.record, 'fetched')
      else reason = `the package ${fetched.record.package} contains ${fetched.record.longVersion}`
    }
    return unavailable(reason)
  }

  const fetchVyper = async (version: string, signal: AbortSignal): Promise<AvailableCompiler> => {
    const sandbox = await pool.sandbox()
    const install = async () => {
      const isPublished = isKnownVyper(version) || (await vyperList.has(version, signal))
      if (isPublished === false) return unavailable(`PyPI has no vyper ${version}`)
      if (isPublished !== true) return unavailable(isPublished.unknown)
      return installVyper(version, { folder: resolve(folder), fetching, sandbox }, signal)
    }
    const vyper =
      (await installedVyper(resolve(folder, `vyper-${version}`), sandbox, signal)) ??
      (await fetches.run(install, signal))
    if (vyper.type !== 'installed') return vyper
    const { build, program } = vyper
    const longVersion = longVersionOf(build) ?? version
    return available({ language: 'vyper', version, longVersion, build, program, origin: 'fetched' })
  }

  const operatorBinaries = async () => (compilersDir ? binariesIn(compilersDir) : [])

  const find = async (language: Language, version: string): Promise<AvailableCompiler> => {
    const binaries = await operatorBinaries()
    const own = binaries.find((binary) => binary.language === language && binary.version === version)
    if (own) {
      const found = await operatorCompiler(own, lifetime)
      if (found.type === 'compiler' && found.compiler.version === version) return found
    }
    await removeLeftovers(folder)
    if (language === 'solidity' && version === bundled.version) return soljsonAt(bundled.file, 'package', lifetime)
    return language === 'vyper' ? fetchVyper(version, lifetime) : fetchSolidity(version, lifetime)
  }

  const list = async (): Promise<readonly ListedCompiler[]> => {
    const own = (await operatorBinaries()).map((binary) => ({ ...binary, origin: 'COMPILERS_DIR' as const }))
    const fetched = (await fetchedSolcs(folder)).map(({ file, longVersion }): ListedCompiler => {
      return { language: 'solidity', version: releaseOf(longVersion), file, origin: 'fetched' }
    })
    const vypers = (await readdir(folder))
      .filter((name) => /^vyper-\d+\.\d+\.\d+$/.test(name))
      .map((name): ListedCompiler => {
        return { language: 'vyper', version: name.slice('vyper-'.length), file: join(folder, name), origin: 'fetched' }
      })
    const ours: ListedCompiler = { language: 'solidity', ...bundled, origin: 'package' }
    return [ours, ...own, ...fetched, ...vypers].sort(
      (a, b) => a.language.localeCompare(b.language) || compareVersions(a.version, b.version),
    )
  }

  return {
    compiler: async (language, version, signal) => {
      const key = `${language} ${version}`
      let lookup = lookups.get(key)
      if (!lookup) {
        lookup = find(language, version)
        lookups.set(key, lookup)
        const remove = (): void => void lookups.delete(key)
        void lookup.then((answer) => {
          if (answer.type === 'unavailable') setTimeout(remove, UNAVAILABLE_CACHED_MS).unref()
        }, remove)
      }
      return unlessAborted(lookup, signal)
    },
    list,
    solidityReleases: async (signal) => {
      if (!releases || performance.now() - releases.atMs > RELEASES_CACHED_MS) {
        const versions = await solcReleases({ folder, fetching }, signal)
        if (versions.length > 0) releases = { atMs: performance.now(), versions: versions.toSorted(compareVersions) }
      }
      if (releases) return releases.versions
      return (await list()).filter(({ language }) => language === 'solidity').map(({ version }) => version)
    },
    stop: async () => {
      stopping.abort(new Error('the verifier is stopping'))
      await Promise.allSettled(lookups.values())
    },
  }
}

/** Removes the files of fetches whose process was killed. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.includes('.fetch-')) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > LEFTOVER_MS) await rm(path, { recursive: true, force: true })
  }
}

const require = createRequire(import.meta.url)
/** The compiler that is a dependency of this package. */
const bundled = {
  version: require('solc/package.json').version as string,
  file: require.resolve('solc/soljson.js'),
}

function soljsonCompiler(
  { file, longVersion, build }: Pick<SoljsonRecord, 'file' | 'longVersion' | 'build'>,
  origin: Compiler['origin'],
): AvailableCompiler {
  const program = { type: 'soljson', file } as const
  return available({ language: 'solidity', version: releaseOf(longVersion), longVersion, build, program, origin })
}

function available(compiler: Compiler): AvailableCompiler {
  return { type: 'compiler', compiler }
}
function unavailable(reason: string) {
  return { type: 'unavailable', reason } as const
}
