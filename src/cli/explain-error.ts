// Turns the error of a command into a message and an exit code: one line with advice for an error that can happen to any operator, the
// stack for a bug.
import { isDatabaseUnavailable } from '../lib/database-unavailable.ts'
import { withoutCredentials } from '../lib/log.ts'
import type { ExitCode } from './command.ts'

/** By name, since an error from a worker has lost its class. The messages of these errors say what to do. */
const expected: ReadonlyMap<string, ExitCode> = new Map([
  ['UsageError', 'usage'],
  ['ConfigError', 'config'],
  ['WrongKeysSecret', 'config'],
  ['SchemaMismatch', 'config'],
  ['FolderInUse', 'failed'],
  ['UnusableChain', 'failed'],
  ['ReorgTooDeep', 'config'],
])

/** Advice for errors of the operating system, by their code. */
const advices: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'choose another PORT (DEVNET_PORT for the devnet), or stop the process that listens there'],
  ['EADDRNOTAVAIL', 'choose a HOST that this machine has'],
  ['ENOTFOUND', 'choose a HOST that this machine has'],
  ['EAI_AGAIN', 'choose a HOST that this machine has'],
  [
    'EACCES',
    'this user lacks the permission; DATA_DIR must be a folder that it can write to, PORT one that it may use',
  ],
  ['EPERM', 'this user lacks the permission; DATA_DIR must be a folder that it can write to'],
  ['EROFS', 'DATA_DIR must be a folder that can be written to'],
  ['ENOTDIR', 'DATA_DIR must be a folder'],
  ['EEXIST', 'DATA_DIR must be a folder'],
  ['ENOSPC', 'free some disk space'],
  ['EDQUOT', 'free some disk space'],
  ['EMFILE', 'raise the limit of open files (ulimit -n)'],
  ['ENOENT', 'the path must exist'],
  ['ERR_SQLITE_ERROR', 'check firstlight.sqlite in DATA_DIR, its permissions and the free disk space'],
])

export function explainError(error: unknown): { readonly exitCode: ExitCode; readonly message: string } {
  const { exitCode, message } = explained(error)
  return { exitCode, message: withoutCredentials(message) }
}

function explained(error: unknown): { readonly exitCode: ExitCode; readonly message: string } {
  const { name, code = '', message, stack } = error as NodeJS.ErrnoException
  const exitCode = isDatabaseUnavailable(error) ? 'tryLater' : expected.get(name)
  if (exitCode) return { exitCode, message }
  const advice = advices.get(code)
  return { exitCode: 'failed', message: advice ? `${message}: ${advice}` : (stack ?? String(error)) }
}
