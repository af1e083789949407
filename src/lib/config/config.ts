// Reads a described table of settings into typed values with their source. Flags win over the environment, the environment over `.env`,
// `.env` over the defaults of the command, and those over the defaults of the table. This module does not read the environment itself.
import type { z } from 'zod'
import { nearestOf } from '../nearest.ts'
import type { OptionType } from './option-types.ts'

export type Option = {
  readonly type: OptionType
  /** Text, as a user would write it; undefined where the setting is unset unless given. */
  readonly default?: string
  readonly describe: string
  readonly group: string
  /** A secret is never shown, not even by `config`. NAME_FILE may name a file that holds it. */
  readonly secret?: boolean
}

export type OptionTable = Readonly<Record<string, Option>>
type ValueOf<O extends Option> = O extends { default: string } ? z.output<O['type']> : z.output<O['type']> | undefined
export type Settings<T extends OptionTable> = { readonly [N in keyof T]: ValueOf<T[N]> }
export type Source = 'flag' | 'environment' | '.env' | 'command' | 'default' | 'unset'

export type Loaded<T extends OptionTable> = {
  settings: Settings<T>
  sources: Readonly<Record<keyof T, Source>>
  warnings: readonly string[]
}

/** A setting that cannot be used. The message names it, says where its value comes from, and what is allowed. */
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
    const parsed = option.type.safeParse(found.text)
    if (!parsed.success) {
      // The message of an issue may quote a part of the value, so of a secret only the type is named.
      throw new ConfigError(
        option.secret
          ? `${name} must be ${option.type.description} (from the ${found.source})`
          : `${name} ${parsed.error.issues[0]!.message} (got ${JSON.stringify(found.text)} from the ${found.source})`,
      )
    }
    settings[name] = parsed.data
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
    // Docker Compose passes an unset variable as an empty one.
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

/** `.env` is ours, so every unknown name in it is a mistake. The environment is shared, so only names close to a setting are reported. */
function typosIn(table: OptionTable, { environment, dotenv }: ConfigInput): string[] {
  const known = Object.keys(table)
  const isKnown = (name: string) => Object.hasOwn(table, name) || table[name.replace(/_FILE$/, '')]?.secret === true
  const warnings: string[] = []
  for (const name of Object.keys(dotenv)) {
    if (isKnown(name)) continue
    const near = nearestOf(name, known)
    warnings.push(`.env: ${name} is not a setting${near ? `; did you mean ${near}?` : ''}`)
  }
  for (const name of Object.keys(environment)) {
    if (isKnown(name) || name.length < MIN_TYPO_LENGTH || name in dotenv) continue
    const near = nearestOf(name, known)
    if (near && Math.abs(near.length - name.length) <= 2 && near.slice(0, 2) === name.slice(0, 2)) {
      warnings.push(`environment: ${name} is not a setting; did you mean ${near}?`)
    }
  }
  return warnings
}

const MIN_TYPO_LENGTH = 7

/** `RATE_LIMIT_KEY` is `--rate-limit-key`. */
export function flagOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}
