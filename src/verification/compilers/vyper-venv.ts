// Vyper from PyPI: one virtual environment for each version, created with the first Python of this machine that the version accepts. Only
// wheels are installed, each by its hash: nothing that was fetched runs before it is in the sandbox of compilers.
import { existsSync, realpathSync } from 'node:fs'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Program } from '../compile/compiler.ts'
import { BARE_ENVIRONMENT } from '../compile/run-command.ts'
import type { Sandbox } from '../compile/sandbox.ts'
import { type FetchStep, type FolderStep, runProgram } from './fetch-step.ts'
import type { PublishedVersions } from './published-versions.ts'
import { lockFromReport, lockText } from './vyper-lock.ts'

export type InstalledVyper =
  | { readonly type: 'installed'; readonly build: string; readonly program: Program }
  | { readonly type: 'unavailable'; readonly reason: string }

const INSTALL_TIMEOUT_MS = 300_000
const LIST_TIMEOUT_MS = 60_000
const VERSION_TIMEOUT_MS = 30_000

// Vyper up to 0.3.7 needs a Python below 3.11, newer versions need 3.10 or later; pip knows and refuses the others.
const pythons = ['python3', 'python3.12', 'python3.11', 'python3.10', 'python3.9']

const MAIN = 'import sys; from vyper.cli.vyper_json import _parse_args; _parse_args(sys.argv[1:])'
const VERSION =
  'import vyper; print(vyper.__long_version__ if hasattr(vyper, "__long_version__") else vyper.__version__)'

/** Undefined where this version is not installed. */
export async function installedVyper(
  folder: string,
  { commandIn }: Sandbox,
  signal: AbortSignal,
): Promise<InstalledVyper | undefined> {
  const python = join(folder, 'bin', 'python')
  if (!existsSync(python)) return undefined
  // The environment links to the Python that it was created with.
  const readable = [folder, dirname(dirname(realpathSync(python)))]
  const [command, ...args] = commandIn([python, '-I', '-c', VERSION], readable)
  const asked = await runProgram(command!, args, { signal, timeoutMs: VERSION_TIMEOUT_MS, env: BARE_ENVIRONMENT })
  if (asked.type === 'failed') return unavailable(`the Vyper in ${folder} does not start: ${asked.reason}`)
  const program: Program = { type: 'command', file: python, args: ['-I', '-c', MAIN], readable }
  return { type: 'installed', build: `vyper ${asked.stdout.trim()}`, program }
}

export type VyperParts = {
  /** `compilers` in the data folder. */
  readonly folder: string
  readonly fetching: FetchStep
}

/** One quick retry: somebody waits, and an index that is away is asked again with the next submission. */
const PIP = ['--disable-pip-version-check', '--no-input', '--no-cache-dir', '--retries=1', '--timeout=15']

/** The releases that the package index has. */
export function vyperReleases({ folder, fetching }: VyperParts, signal: AbortSignal): Promise<PublishedVersions> {
  return fetching.inNewFolder(folder, async (step) => {
    let reason = 'python3 is not installed'
    for await (const python of pythonsOf(fetching, signal)) {
      const pip = await pipFor(step, python, signal)
      if (pip.type === 'failed') {
        reason = pip.reason
        continue
      }
      const list = [...pip.command, 'index', 'versions', 'vyper', '--ignore-requires-python']
      const listed = await step.run(list, { signal, timeoutMs: LIST_TIMEOUT_MS, readable: [python.prefix] })
      const versions = listed.type === 'done' ? /^Available versions: (.*)$/m.exec(listed.stdout)?.[1] : undefined
      if (versions !== undefined) return { type: 'listed', versions: versions.split(', ') }
      // The package exists, so an index that does not know it is out of reach.
      return { type: 'failed', reason: `the package index of pip does not answer: ${reasonIn(listed)}` }
    }
    return { type: 'failed', reason }
  })
}

/** Installs into a temporary folder and renames it at the end, so that two processes may install the same version. */
export async function installVyper(
  version: string,
  { folder, fetching, sandbox }: VyperParts & { readonly sandbox: Sandbox },
  signal: AbortSignal,
): Promise<InstalledVyper> {
  const home = join(folder, `vyper-${version}`)
  let reason = ''
  for await (const python of pythonsOf(fetching, signal)) {
    const lockFile = `${home}-${python.tag}.lock`
    const isLocked = existsSync(lockFile)
    const failed = await fetching.inNewFolder(folder, async (step) => {
      const problem = await installWith(step, { python, version, lockFile }, signal)
      if (problem === undefined) await rename(join(step.folder, 'venv'), home).catch(() => undefined)
      return problem
    })
    if (failed === undefined) {
      return (await installedVyper(home, sandbox, signal)) ?? unavailable(`the Vyper in ${home} is incomplete`)
    }
    // The reason of the first Python is the most useful one. What a lock refuses is not tried with another.
    reason ||= failed
    if (isLocked) return unavailable(failed)
  }
  return unavailable(reason || 'python3 is not installed')
}

type Python = {
  readonly file: string
  readonly prefix: string
  /** Wheels for one of these do not fit the others: `cp311-linux-x86_64`. */
  readonly tag: string
  readonly hasPip: boolean
}

const ABOUT = `import importlib.util, os, sys, sysconfig
print(os.path.realpath(sys.executable), sys.base_prefix, sep="\\n")
print(f"cp{sys.version_info[0]}{sys.version_info[1]}-{sysconfig.get_platform()}")
print(importlib.util.find_spec("pip") is not None)`

/** The Pythons of this machine, each once: the names may be scripts that choose another one by their user's settings. */
async function* pythonsOf({ environment }: FetchStep, signal: AbortSignal): AsyncGenerator<Python> {
  const env = { ...BARE_ENVIRONMENT, PATH: environment.PATH ?? BARE_ENVIRONMENT.PATH, HOME: homedir() }
  const seen = new Set<string>()
  for (const name of pythons) {
    const about = await runProgram(name, ['-I', '-c', ABOUT], { signal, timeoutMs: VERSION_TIMEOUT_MS, env })
    if (about.type === 'failed') continue
    const [file, prefix, tag, hasPip] = about.stdout.trim().split('\n') as [string, string, string, string]
    if (seen.has(tag)) continue
    seen.add(tag)
    yield { file, prefix, tag, hasPip: hasPip === 'True' }
  }
}

type Pip =
  | { readonly type: 'pip'; readonly command: readonly string[] }
  | { readonly type: 'failed'; readonly reason: string }

/** Creates a virtual environment in the folder, and gives the pip that installs into it: that of this Python, or where it has none a new one. */
async function pipFor(step: FolderStep, { file, prefix, hasPip }: Python, signal: AbortSignal): Promise<Pip> {
  const venv = join(step.folder, 'venv')
  const venvPython = join(venv, 'bin', 'python')
  const options = { signal, timeoutMs: INSTALL_TIMEOUT_MS, readable: [prefix] }
  const ownPip = [file, '-I', '-m', 'pip', '--python', venvPython]
  const create = (...flags: string[]) => step.run([file, '-I', '-m', 'venv', '--clear', ...flags, venv], options)
  if (hasPip && (await create('--without-pip')).type === 'done') return { type: 'pip', command: [...ownPip, ...PIP] }
  const withPip = await create()
  return withPip.type === 'done'
    ? { type: 'pip', command: [venvPython, '-I', '-m', 'pip', ...PIP] }
    : { type: 'failed', reason: `a Python environment cannot be created: ${withPip.reason}` }
}

/** The reason of a failure. */
async function installWith(
  step: FolderStep,
  { python, version, lockFile }: { python: Python; version: string; lockFile: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const ready = await pipFor(step, python, signal)
  if (ready.type === 'failed') return ready.reason
  const options = { signal, timeoutMs: INSTALL_TIMEOUT_MS, readable: [python.prefix] }
  // Wheels only: a source distribution would run its build script here.
  const pip = (...args: string[]) =>
    step.run([...ready.command, 'install', '--quiet', '--only-binary', ':all:', ...args], options)

  let lock = await readFile(lockFile, 'utf8').catch(() => undefined)
  if (lock === undefined) {
    const report = join(step.folder, 'report.json')
    // Releases before 0.4 read their own version through setuptools.
    const wanted = [`vyper==${version}`, 'setuptools<81']
    const resolved = await pip('--dry-run', '--ignore-installed', '--report', report, ...wanted)
    if (resolved.type === 'failed') return `pip cannot install vyper ${version}: ${resolved.reason}`
    const locked = lockFromReport(await readFile(report, 'utf8'), await otherLocks(lockFile, version))
    if (locked.type === 'refused') return locked.reason
    lock = lockText(locked.wheels)
  }
  const requirements = join(step.folder, 'requirements.txt')
  await writeFile(requirements, lock)
  const installed = await pip('--require-hashes', '--no-deps', '--requirement', requirements)
  if (installed.type === 'failed') return `pip cannot install vyper ${version}: ${installed.reason}`
  await rename(requirements, lockFile)
  return undefined
}

/** Those of the same version for other Pythons. */
async function otherLocks(lockFile: string, version: string): Promise<string[]> {
  const folder = dirname(lockFile)
  const names = (await readdir(folder)).filter((name) => name.startsWith(`vyper-${version}-`) && name.endsWith('.lock'))
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
}

function reasonIn(result: Awaited<ReturnType<FolderStep['run']>>): string {
  return result.type === 'failed' ? result.reason : 'it lists no versions'
}

function unavailable(reason: string): InstalledVyper {
  return { type: 'unavailable', reason }
}
