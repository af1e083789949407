import type { options } from '../app/options.ts'
import type { Loaded } from '../lib/config/config.ts'
import type { ExitCode } from './exit-codes.ts'

export type CommandFlag = { value?: string; describe: string }

export type Invocation = {
  /** Words after the command's name. */
  words: readonly string[]
  /** The command's own flags; those without a value are the empty string. */
  flags: Readonly<Record<string, string>>
  configuration: Loaded<typeof options>
  print: (line: string) => void
}

export type Command = {
  summary: string
  usage: string
  flags?: Readonly<Record<string, CommandFlag>>
  /** Defaults that differ from the table's while this command runs. */
  defaults?: Readonly<Record<string, string>>
  run: (invocation: Invocation) => Promise<ExitCode>
}

/** The command line cannot be understood; the message says what would be. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
