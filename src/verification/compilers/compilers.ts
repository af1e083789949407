// Which compilers there are, and how to get one that is not there yet: the operator's own first, then those fetched before,
// then the package index. A version is fetched once, however many ask for it.
import { mkdirSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Compiler } from '../compile/compiler.ts'
import type { CompilePool } from '../compile/pool.ts'
import { compareVersions, longVersionOf, releaseOf } from '../input/compiler-version.ts'
import type { Language } from '../input/submission.ts'
import { fetchSolcPackage, recordFile, type SoljsonRecord, sha256, solcReleases } from './npm-solc.ts'
import { type Binary, binariesIn, buildOfCommand, programOf } from './operator-binaries.ts'
import { installedVyper, installVyper } from './vyper-venv.ts'

export type Compilers = {
  /** Fetches it where need be. */
  compiler: (language: Language, version: string, signal: AbortSignal) => Promise<Available>
  /** Those at hand, oldest first. */
  list: () => Promise<readonly Listed[]>
  /** Releases of solc that could be had, oldest first; without a network those at hand. */
  solidityReleases: (signal: AbortSignal) => Promise<readonly string[]>
  /** Ends what is being fetched, and leaves nothing of it behind. */
  stop: () => Promise<void>
}

export type Available =
  | { readonly type: 'compiler'; readonly compiler: Compiler }
  | { readonly type: 'unavailable'; readonly reason: string }

export type Listed = Pick<Compiler, 'language' | 'version' | 'origin'> & { readonly file: string }

export type CompilersOptions = {
  /** `compilers` in the data folder. */
  readonly folder: string
  readonly compilersDir?: string | undefined
  readonly pool: CompilePool
}

const RELEASES_KEPT_MS = 3_600_000
/** How long an answer that a compiler is not to be had stands. */
const REFUSAL_KEPT_MS = 60_000
/** Longer than any fetching takes, so that nobody is at it any more. */
const LEFTOVER_MS = 3_600_000

export function createCompilers({ folder, compilersDir, pool }: CompilersOptions): Compilers {
  mkdirSync(folder, { recursive: true })
  const known = new Map<string, Promise<Available>>()
  const stopping = new AbortController()
  const lifetime = stopping.signal
  let releases: { atMs: number; versions: readonly string[] } | undefined

  const buildOf = async (file: string, signal: AbortSignal) => {
    const said = await pool.versionOf(file, signal)
    if (said.type !== 'output') return said.message
    const longVersion = longVersionOf(said.output)
    return longVersion ? { build: said.output, longVersion } : `it calls itself ${said.output}`
  }
  const soljson = async (file: string, origin: Compiler['origin'], signal: AbortSignal): Promise<Available> => {
    const said = await buildOf(file, signal)
    if (typeof said === 'string') return unavailable(`${file} does not load: ${said}`)
    const version = releaseOf(said.longVersion)
    return available({ language: 'solidity', version, ...said, program: { type: 'soljson', file }, origin })
  }

  const fromOperator = async (binary: Binary, signal: AbortSignal): Promise<Available> => {
    const program = await programOf(binary)
    if (program.type === 'soljson') return soljson(program.file, 'COMPILERS_DIR', signal)
    const said = await buildOfCommand(program.file, signal)
    const longVersion = typeof said === 'string' ? undefined : longVersionOf(said.build)
    if (typeof said === 'string' || longVersion === undefined) {
      return unavailable(`${binary.file} does not tell its version: ${typeof said === 'string' ? said : said.build}`)
    }
    const { language } = binary
    return available({
      language,
      version: releaseOf(longVersion),
      longVersion,
      ...said,
      program,
      origin: 'COMPILERS_DIR',
    })
  }

  const fetchSolidity = async (version: string, signal: AbortSignal): Promise<Available> => {
    const records = await recordsIn(folder)
    const record = records.find(({ longVersion }) => releaseOf(longVersion) === version)
    if (record) {
      const intact = sha256(await readFile(record.file)) === record.sha256
      return intact ? fetchedSolc(record) : unavailable(`${record.file} has changed since it was fetched: remove it`)
    }
    let reason = ''
    // A corrected package is called -fixed.
    for (const packageVersion of [version, `${version}-fixed`]) {
      const fetched = await fetchSolcPackage({ folder, buildOf }, packageVersion, signal)
      if (fetched.type === 'unavailable') reason ||= fetched.reason
      else if (releaseOf(fetched.record.longVersion) === version) return fetchedSolc(fetched.record)
      else reason = `the package ${fetched.record.package} contains ${fetched.record.longVersion}`
    }
    return unavailable(reason)
  }

  const fetchVyper = async (version: string, signal: AbortSignal): Promise<Available> => {
    const home = join(folder, `vyper-${version}`)
    const vyper = (await installedVyper(home, signal)) ?? (await installVyper(home, version, signal))
    if (vyper.type === 'unavailable') return vyper
    const { build, program } = vyper
    const longVersion = longVersionOf(build) ?? version
    return available({ language: 'vyper', version, longVersion, build, program, origin: 'fetched' })
  }

  const find = async (language: Language, version: string): Promise<Available> => {
    const binaries = await binariesIn(compilersDir)
    const own = binaries.find((binary) => binary.language === language && binary.version === version)
    if (own) {
      const found = await fromOperator(own, lifetime)
      if (found.type === 'compiler' && found.compiler.version === version) return found
    }
    await removeLeftovers(folder)
    if (language === 'vyper') return fetchVyper(version, lifetime)
    return version === bundled.version ? soljson(bundled.file, 'package', lifetime) : fetchSolidity(version, lifetime)
  }

  const list = async (): Promise<readonly Listed[]> => {
    const own = (await binariesIn(compilersDir)).map((binary) => ({ ...binary, origin: 'COMPILERS_DIR' as const }))
    const fetched = (await recordsIn(folder)).map(({ file, longVersion }) => {
      return { language: 'solidity' as const, version: releaseOf(longVersion), file, origin: 'fetched' as const }
    })
    const vypers = (await readdir(folder))
      .filter((name) => /^vyper-\d+\.\d+\.\d+$/.test(name))
      .map((name) => {
        return {
          language: 'vyper' as const,
          version: name.slice(6),
          file: join(folder, name),
          origin: 'fetched' as const,
        }
      })
    const ours = { language: 'solidity' as const, ...bundled, origin: 'package' as const }
    return [ours, ...own, ...fetched, ...vypers].sort(
      (a, b) => a.language.localeCompare(b.language) || compareVersions(a.version, b.version),
    )
  }

  return {
    compiler: async (language, version, signal) => {
      const key = `${language} ${version}`
      let asked = known.get(key)
      if (!asked) {
        asked = find(language, version)
        known.set(key, asked)
        const forget = (): void => void known.delete(key)
        void asked.then((answer) => {
          if (answer.type === 'unavailable') setTimeout(forget, REFUSAL_KEPT_MS).unref()
        }, forget)
      }
      return unlessAborted(asked, signal)
    },
    list,
    solidityReleases: async (signal) => {
      if (!releases || Date.now() - releases.atMs > RELEASES_KEPT_MS) {
        const versions = await solcReleases(signal)
        if (versions.length > 0) releases = { atMs: Date.now(), versions: versions.toSorted(compareVersions) }
      }
      if (releases) return releases.versions
      return (await list()).filter(({ language }) => language === 'solidity').map(({ version }) => version)
    },
    stop: async () => {
      stopping.abort(new Error('the verifier is stopping'))
      await Promise.allSettled(known.values())
    },
  }
}

/** What a process that was killed had half fetched. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.includes('.fetch-')) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > LEFTOVER_MS) await rm(path, { recursive: true, force: true })
  }
}

const require = createRequire(import.meta.url)
const bundled = {
  version: require('solc/package.json').version as string,
  file: require.resolve('solc/soljson.js'),
}

async function recordsIn(folder: string): Promise<readonly SoljsonRecord[]> {
  const names = (await readdir(folder)).filter((name) => /^solc-.*\.js$/.test(name))
  const records = names.map(async (name) => {
    const file = join(folder, name)
    const text = await readFile(recordFile(file), 'utf8').catch(() => null)
    return text === null ? [] : [{ ...(JSON.parse(text) as SoljsonRecord), file }]
  })
  return (await Promise.all(records)).flat()
}

function fetchedSolc({ file, longVersion, build }: SoljsonRecord): Available {
  return available({
    language: 'solidity',
    version: releaseOf(longVersion),
    longVersion,
    build,
    program: { type: 'soljson', file },
    origin: 'fetched',
  })
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<T>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort))
}

function available(compiler: Compiler): Available {
  return { type: 'compiler', compiler }
}
function unavailable(reason: string): Available {
  return { type: 'unavailable', reason }
}
