// Compilers that the operator put into COMPILERS_DIR: native solc and Vyper binaries under their release names, and soljson files.
// The file name says which version to expect; the compiler itself is asked for its version.
import { readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Program } from '../compile/compiler.ts'
import { BARE_ENVIRONMENT } from '../compile/run-command.ts'
import type { Sandbox } from '../compile/sandbox.ts'
import type { Language } from '../input/submission.ts'
import { runProgram } from './fetch-step.ts'

export type OperatorBinary = { readonly language: Language; readonly version: string; readonly file: string }

const VERSION_TIMEOUT_MS = 60_000

// solc-0.8.30, solc-v0.8.30, solc-linux-amd64-v0.8.30+commit.73712a01, soljson-v0.8.30+commit.73712a01.js,
// vyper-0.3.10, vyper.0.3.10+commit.91361694.linux
const NAME = /^(solc|soljson|vyper)[-.](?:[a-z]+-[a-z0-9]+-)?v?(\d+\.\d+\.\d+)(?:[+.-].*)?$/

export async function binariesIn(folder: string): Promise<readonly OperatorBinary[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.sort().flatMap((name) => {
    const [, kind, version] = NAME.exec(name) ?? []
    if (version === undefined || name.endsWith('.json')) return []
    return [
      { language: kind === 'vyper' ? ('vyper' as const) : ('solidity' as const), version, file: join(folder, name) },
    ]
  })
}

export async function programOf({ file }: OperatorBinary): Promise<Program> {
  const path = await realpath(file)
  return path.endsWith('.js')
    ? { type: 'soljson', file: path }
    : { type: 'command', file: path, args: ['--standard-json'], readable: [dirname(path)] }
}

/** The text that an executable prints for --version, or the reason why it prints none. */
export async function buildOfCommand(
  file: string,
  { commandIn }: Sandbox,
  signal: AbortSignal,
): Promise<{ build: string } | string> {
  const [command, ...args] = commandIn([file, '--version'], [dirname(file)])
  const result = await runProgram(command!, args, { signal, timeoutMs: VERSION_TIMEOUT_MS, env: BARE_ENVIRONMENT })
  if (result.type === 'failed') return result.reason
  return {
    build: result.stdout
      .trim()
      .split('\n')
      .at(-1)!
      .replace(/^Version: /, ''),
  }
}
