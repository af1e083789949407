// A described table of options becomes typed values with their source. Flags win over the environment, the environment
// over `.env`, `.env` over a command's own defaults, those over the table's. Nothing here reads the environment itself.
import { nearestOf } from '../nearest.ts'

export type OptionType<T> = {
  /** Shown in help and documentation. */
  name: string
  /** The value, or a sentence that says what would be right. */
  parse: (text: string) => { value: T } | { wrong: string }
}

export type Option<T = unknown> = {
  type: OptionType<T>
  /** As text, the way a user would write it; undefined where the option is off unless given. */
  default?: string
  describe: string
  group: string
  /** Never shown, not even in `config`. May be given as NAME_FILE with the path of a file that holds it. */
  secret?: boolean
}

export type OptionTable = Readonly<Record<string, Option>>
type ValueOf<O> = O extends { type: OptionType<infer T> } ? (O extends { default: string } ? T : T | undefined) : never
export type Settings<T extends OptionTable> = { readonly [N in keyof T]: ValueOf<T[N]> }
export type Source = 'flag' | 'environment' | '.env' | 'command' | 'default' | 'unset'

export type Loaded<T extends OptionTable> = {
  settings: Settings<T>
  sources: Readonly<Record<keyof T, Source>>
  warnings: readonly string[]
}

/** A setting that cannot be used. The message says which, from where, and what would be right. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type ConfigInput = {
  flags: Readonly<Record<string, string>>
  environment: Readonly<Record<string, string | undefined>>
  dotenv: Readonly<Record<string, string>>
  /** Defaults of the command that runs. */
  command: Readonly<Record<string, string>>
  readFile: (path: string) => string
}

export function loadConfig<T extends OptionTable>(table: T, input: ConfigInput): Loaded<T> {
  const settings: Record<string, unknown> = {}
  const sources: Record<string, Source> = {}
  for (const [name, option] of Object.entries(table)) {
    const found = lookUp(name, option, input)
    sources[name] = found?.source ?? 'unset'
    if (!found) continue
    const parsed = option.type.parse(found.text)
    if ('wrong' in parsed) {
      // What is wrong with a secret may quote a part of it, so only its type is named.
      throw new ConfigError(
        option.secret
          ? `${name} must be ${option.type.name} (from the ${found.source})`
          : `${name} ${parsed.wrong} (got ${JSON.stringify(found.text)} from the ${found.source})`,
      )
    }
    settings[name] = parsed.value
  }
  return {
    settings: settings as Settings<T>,
    sources: sources as Record<keyof T, Source>,
    warnings: typosIn(table, input),
  }
}

function lookUp(name: string, option: Option, input: ConfigInput): { text: string; source: Source } | undefined {
  const flag = input.flags[flagOf(name)]
  if (flag !== undefined) return { text: flag, source: 'flag' }
  for (const [values, source] of [
    [input.environment, 'environment'],
    [input.dotenv, '.env'],
  ] as const) {
    // An empty variable is an unset one, as docker compose passes it.
    if (values[name]) return { text: values[name], source }
    const file = option.secret ? values[`${name}_FILE`] : undefined
    if (file) return { text: contentOf(name, file, input), source }
  }
  if (input.command[name] !== undefined) return { text: input.command[name], source: 'command' }
  return option.default === undefined ? undefined : { text: option.default, source: 'default' }
}

function contentOf(name: string, file: string, { readFile }: ConfigInput): string {
  try {
    return readFile(file).trim()
  } catch (cause) {
    throw new ConfigError(`${name}_FILE cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** `.env` is ours, so every unknown name in it is a mistake; the environment is shared, so only near misses are. */
function typosIn(table: OptionTable, { environment, dotenv }: ConfigInput): string[] {
  const known = Object.keys(table)
  const isKnown = (name: string) => Object.hasOwn(table, name) || table[name.replace(/_FILE$/, '')]?.secret === true
  const warnings: string[] = []
  for (const name of Object.keys(dotenv)) {
    if (isKnown(name)) continue
    const near = nearestOf(name, known)
    warnings.push(`.env: ${name} is not an option${near ? `; did you mean ${near}?` : ''}`)
  }
  for (const name of Object.keys(environment)) {
    if (isKnown(name) || name.length < MIN_TYPO_LENGTH || name in dotenv) continue
    const near = nearestOf(name, known)
    if (near && Math.abs(near.length - name.length) <= 2 && near.slice(0, 2) === name.slice(0, 2)) {
      warnings.push(`environment: ${name} is not an option; did you mean ${near}?`)
    }
  }
  return warnings
}

const MIN_TYPO_LENGTH = 7

/** `RATE_LIMIT_KEY` is `--rate-limit-key`. */
export function flagOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}
