// Vyper from PyPI: one virtual environment for each version, created with the first Python of this machine that the version accepts.
import { existsSync, realpathSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Program } from '../compile/compiler.ts'
import type { Sandbox } from '../compile/sandbox.ts'
import { runProgram } from './run-program.ts'

export type InstalledVyper =
  | { readonly type: 'installed'; readonly build: string; readonly program: Program }
  | { readonly type: 'unavailable'; readonly reason: string }

const INSTALL_TIMEOUT_MS = 300_000
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
  const asked = await runProgram(command!, args, { signal, timeoutMs: VERSION_TIMEOUT_MS })
  if (asked.type === 'failed') return unavailable(`the Vyper in ${folder} does not start: ${asked.reason}`)
  const program: Program = { type: 'command', file: python, args: ['-I', '-c', MAIN], readable }
  return { type: 'installed', build: `vyper ${asked.stdout.trim()}`, program }
}

/** Installs into a temporary folder and renames it at the end, so that two processes may install the same version. */
export async function installVyper(
  folder: string,
  { version, sandbox }: { version: string; sandbox: Sandbox },
  signal: AbortSignal,
): Promise<InstalledVyper> {
  let reason = ''
  for (const python of pythons) {
    const temporary = await mkdtemp(`${folder}.fetch-`)
    try {
      const failed = await installWith({ python, temporary, version }, signal)
      if (failed === undefined) {
        await rename(temporary, folder).catch(() => undefined)
        return (await installedVyper(folder, sandbox, signal)) ?? unavailable(`the Vyper in ${folder} is incomplete`)
      }
      // The reason of the first Python is the most useful one; the others may only be absent.
      reason ||= failed
    } finally {
      await rm(temporary, { recursive: true, force: true })
    }
  }
  return unavailable(reason)
}

async function installWith(
  { python, temporary, version }: { python: string; temporary: string; version: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const options = { signal, timeoutMs: INSTALL_TIMEOUT_MS }
  const created = await runProgram(python, ['-m', 'venv', temporary], options)
  if (created.type === 'failed') return `a Python environment cannot be created: ${created.reason}`
  // Releases before 0.4 read their own version through setuptools.
  const wanted = [`vyper==${version}`, 'setuptools<81']
  const pip = ['-I', '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  // Wheels only: a source distribution would run its build script outside of the sandbox.
  pip.push('--only-binary', ':all:', ...wanted)
  const installed = await runProgram(join(temporary, 'bin', 'python'), pip, options)
  return installed.type === 'failed' ? `pip cannot install vyper ${version}: ${installed.reason}` : undefined
}

function unavailable(reason: string): InstalledVyper {
  return { type: 'unavailable', reason }
}
