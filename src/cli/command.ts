// What a command is: its words for the help, its flags, what it is given and which exit code it returns.
import type { options } from '../app/options.ts'
import type { Loaded } from '../lib/config/config.ts'
import { nearestOf } from '../lib/nearest.ts'

export type CommandFlag = { readonly value?: string; readonly describe: string }

export type Invocation = {
  /** Words after the command's name. */
  readonly words: readonly string[]
  /** The command's own flags; the value of a flag that takes none is the empty string. */
  readonly flags: Readonly<Record<string, string>>
  readonly configuration: Loaded<typeof options>
  readonly print: (line: string) => void
}

export type Command = {
  readonly summary: string
  readonly usage: string
  readonly flags?: Readonly<Record<string, CommandFlag>>
  /** Defaults that differ from those of the table while this command runs. */
  readonly defaults?: Readonly<Record<string, string>>
  readonly run: (invocation: Invocation) => Promise<ExitCode>
}

/** `firstlight --help` lists these. */
export const exitCodes = {
  done: { code: 0, meaning: 'success' },
  failed: { code: 1, meaning: 'failure; the message says why' },
  usage: { code: 2, meaning: 'wrong command line' },
  tryLater: { code: 75, meaning: 'a service that is needed does not answer; try again later' },
  config: { code: 78, meaning: 'a setting, or a database of another version, cannot be used' },
  forced: { code: 130, meaning: 'stopped immediately by a second Ctrl-C' },
} as const

export type ExitCode = keyof typeof exitCodes

/** The command line cannot be understood. The message says what is allowed. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The action of a command that has several, such as `create` in `keys create`. */
export function actionNamed<T>(command: string, actions: Readonly<Record<string, T>>, word = ''): T {
  if (Object.hasOwn(actions, word)) return actions[word]!
  const names = Object.keys(actions)
  throw new UsageError(`${command} needs one of ${names.join(', ')}${didYouMean(nearestOf(word, names))}`)
}

export function didYouMean(near: string | undefined): string {
  return near === undefined ? '' : `; did you mean ${near}?`
}
