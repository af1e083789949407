// argv into words and flags. `--name value`, `--name=value`, and `--name` alone for what is on or off.

import { options } from '../app/options.ts'
import { flagOf } from '../lib/config/config.ts'
import { nearestOf } from '../lib/nearest.ts'
import type { CommandFlag } from './command.ts'
import { UsageError } from './command.ts'

export type CommandLine = {
  words: string[]
  /** Flags of the command itself. */
  flags: Record<string, string>
  /** Flags of the configuration table. */
  settings: Record<string, string>
}

const settingTypes = new Map(Object.entries(options).map(([name, option]) => [flagOf(name), option.type.name]))

export function commandLineFrom(argv: readonly string[], own: Readonly<Record<string, CommandFlag>>): CommandLine {
  const line: CommandLine = { words: [], flags: {}, settings: {} }
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i]!
    if (!argument.startsWith('--')) {
      line.words.push(argument)
      continue
    }
    const [name = '', ...rest] = argument.slice(2).split('=')
    const inline = rest.length > 0 ? rest.join('=') : undefined
    const target = Object.hasOwn(own, name) ? line.flags : settingTypes.has(name) ? line.settings : undefined
    if (!target) throw unknownFlag(name, own)
    if (!takesValue(name, own)) target[name] = inline ?? ''
    else {
      const value = inline ?? argv[++i]
      if (value === undefined) throw new UsageError(`--${name} needs a value`)
      target[name] = value
    }
  }
  return line
}

function takesValue(name: string, own: Readonly<Record<string, CommandFlag>>): boolean {
  return Object.hasOwn(own, name) ? own[name]!.value !== undefined : settingTypes.get(name) !== 'true or false'
}

function unknownFlag(name: string, own: Readonly<Record<string, CommandFlag>>): UsageError {
  const near = nearestOf(name, [...Object.keys(own), ...settingTypes.keys()])
  return new UsageError(`there is no flag --${name}${near ? `; did you mean --${near}?` : ''}`)
}
