// Vyper as PyPI has it: one virtual environment a version, made by whichever Python of this machine that version accepts.
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Program } from '../compile/compiler.ts'
import { run } from './run-program.ts'

export type InstalledVyper =
  | { readonly type: 'installed'; readonly build: string; readonly program: Program }
  | { readonly type: 'unavailable'; readonly reason: string }

const INSTALL_MS = 300_000
const ASK_MS = 30_000

// Vyper up to 0.3.7 wants a Python below 3.11, newer ones one from 3.10 on; pip knows and refuses.
const pythons = ['python3', 'python3.12', 'python3.11', 'python3.10', 'python3.9']

const MAIN = 'import sys; from vyper.cli.vyper_json import _parse_args; _parse_args(sys.argv[1:])'
const VERSION =
  'import vyper; print(vyper.__long_version__ if hasattr(vyper, "__long_version__") else vyper.__version__)'

/** Null: it is not here. */
export async function installedVyper(folder: string, signal: AbortSignal): Promise<InstalledVyper | null> {
  const python = join(folder, 'bin', 'python')
  if (!existsSync(python)) return null
  const asked = await run(python, ['-I', '-c', VERSION], { signal, timeoutMs: ASK_MS })
  if (asked.type === 'failed') return unavailable(`the Vyper in ${folder} does not start: ${asked.reason}`)
  const program: Program = { type: 'command', file: python, args: ['-I', '-c', MAIN] }
  return { type: 'installed', build: `vyper ${asked.stdout.trim()}`, program }
}

/** Built beside its place and moved there whole, so that two processes at it do no harm. */
export async function installVyper(folder: string, version: string, signal: AbortSignal): Promise<InstalledVyper> {
  let reason = ''
  for (const python of pythons) {
    const workshop = await mkdtemp(`${folder}.fetch-`)
    try {
      const failed = await installWith({ python, workshop, version }, signal)
      if (failed === null) {
        await rename(workshop, folder).catch(() => undefined)
        return (await installedVyper(folder, signal)) ?? unavailable(`the Vyper in ${folder} is not whole`)
      }
      // The first Python's reason says most; that others are not there says nothing.
      reason ||= failed
    } finally {
      await rm(workshop, { recursive: true, force: true })
    }
  }
  return unavailable(reason)
}

async function installWith(
  { python, workshop, version }: { python: string; workshop: string; version: string },
  signal: AbortSignal,
): Promise<string | null> {
  const options = { signal, timeoutMs: INSTALL_MS }
  const made = await run(python, ['-m', 'venv', workshop], options)
  if (made.type === 'failed') return `a Python environment cannot be made: ${made.reason}`
  // Releases before 0.4 look their own version up through setuptools.
  const wanted = [`vyper==${version}`, 'setuptools<81']
  const pip = ['-I', '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...wanted]
  const installed = await run(join(workshop, 'bin', 'python'), pip, options)
  return installed.type === 'failed' ? `pip does not give vyper ${version}: ${installed.reason}` : null
}

function unavailable(reason: string): InstalledVyper {
  return { type: 'unavailable', reason }
}
