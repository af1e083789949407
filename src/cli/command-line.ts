// Reads argv into words, flags of the command, and settings: `--name value`, `--name=value`, and `--name` alone for true or false.
import { parseArgs } from 'node:util'
import { options } from '../app/options.ts'
import { flagOf } from '../lib/config/config.ts'
import { flag } from '../lib/config/option-types.ts'
import { nearestOf } from '../lib/nearest.ts'
import { type CommandFlag, didYouMean, UsageError } from './command.ts'

export type CommandLine = {
  readonly words: string[]
  /** Flags of the command itself. */
  readonly flags: Record<string, string>
  /** Flags that are settings. */
  readonly settings: Record<string, string>
}

type ArgumentTypes = Record<string, { type: 'string' | 'boolean' }>

const settingTypes: ArgumentTypes = Object.fromEntries(
  Object.entries(options).map(([name, { type }]) => [flagOf(name), { type: type === flag ? 'boolean' : 'string' }]),
)

export function commandLineFrom(argv: readonly string[], own: Readonly<Record<string, CommandFlag>>): CommandLine {
  const ownTypes: ArgumentTypes = Object.fromEntries(
    Object.entries(own).map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
  )
  const types = { ...settingTypes, ...ownTypes }
  // Not strict: its errors neither name the closest flag nor allow `--name=false`.
  const { tokens } = parseArgs({
    args: [...argv],
    options: types,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const line: CommandLine = { words: [], flags: {}, settings: {} }
  let shortIndex = -1
  for (const token of tokens) {
    if (token.kind === 'positional') line.words.push(token.value)
    else if (token.kind === 'option' && !token.rawName.startsWith('--')) {
      // There are no one-letter flags: `-port`, which comes as four tokens, is one word, and no command takes it.
      if (token.index !== shortIndex) line.words.push(argv[token.index]!)
      shortIndex = token.index
    } else if (token.kind === 'option') {
      const { name, value } = token
      if (!Object.hasOwn(types, name)) {
        const near = nearestOf(name, Object.keys(types))
        throw new UsageError(`there is no flag --${name}${didYouMean(near && `--${near}`)}`)
      }
      if (value === undefined && types[name]!.type === 'string') throw new UsageError(`--${name} needs a value`)
      const target = Object.hasOwn(own, name) ? line.flags : line.settings
      target[name] = value ?? ''
    }
  }
  return line
}
