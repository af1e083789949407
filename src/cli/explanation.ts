// What a command that failed says of it, and with which exit code: what may happen to anyone in one line, with what to do about it; a
// bug with its stack.
import { isDatabaseUnavailable } from '../lib/database-unavailable.ts'
import type { ExitCode } from './exit-codes.ts'

export type Explanation = readonly [exitCode: ExitCode, message: string]

/** By name, since some come from threads, where they were another class. Their messages say what to do. */
const expected: ReadonlyMap<string, ExitCode> = new Map([
  ['UsageError', 'usage'],
  ['ConfigError', 'config'],
  ['WrongKeysSecret', 'config'],
  ['SchemaMismatch', 'failed'],
  ['FolderInUse', 'failed'],
  ['UnusableChain', 'failed'],
  ['ReorgTooDeep', 'failed'],
])

/** What the system refuses, by its code, with what to do about it. */
const advices: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'choose another PORT (DEVNET_PORT for the devnet’s), or stop what listens there'],
  ['EADDRNOTAVAIL', 'choose a HOST that this machine has'],
  ['ENOTFOUND', 'choose a HOST that this machine has'],
  ['EAI_AGAIN', 'choose a HOST that this machine has'],
  ['EACCES', 'this user lacks the right; DATA_DIR must be a folder that it can write to, PORT one that it may use'],
  ['EPERM', 'this user lacks the right; DATA_DIR must be a folder that it can write to'],
  ['EROFS', 'DATA_DIR must be a folder that can be written to'],
  ['ENOTDIR', 'DATA_DIR must be a folder'],
  ['EEXIST', 'DATA_DIR must be a folder'],
  ['ENOSPC', 'make room on the disk'],
  ['EDQUOT', 'make room on the disk'],
  ['EMFILE', 'raise the limit of open files (ulimit -n)'],
  ['ENOENT', 'the path must exist'],
  ['ERR_SQLITE_ERROR', 'look at firstlight.sqlite in DATA_DIR, its rights, and the room on its disk'],
])

export function explanationOf(error: unknown): Explanation {
  const { name, code = '', message, stack } = error as NodeJS.ErrnoException
  const exitCode = isDatabaseUnavailable(error) ? 'tryLater' : expected.get(name)
  if (exitCode) return [exitCode, message]
  const advice = advices.get(code)
  return ['failed', advice ? `${message}: ${advice}` : (stack ?? String(error))]
}
