import { options } from '../app/options.ts'
import { flagOf, type Option } from '../lib/config/config.ts'
import { type Command, exitCodes } from './command.ts'

export function generalHelp(commands: Readonly<Record<string, Command>>): string {
  const width = Math.max(...Object.values(commands).map((command) => command.usage.length))
  return [
    'Firstlight: a chain explorer and preconfirmation service for one EVM chain.',
    '',
    'Usage: firstlight <command> [flags]',
    '',
    ...Object.values(commands).map((command) => `  ${command.usage.padEnd(width)}  ${command.summary}`),
    '',
    'firstlight <command> --help shows its flags. Every setting is a flag, an environment variable, or a line in .env;',
    'docs/config.md describes all settings; firstlight config shows their current values.',
    '',
    'Exit codes:',
    ...Object.values(exitCodes).map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`),
  ].join('\n')
}

export function commandHelp(command: Command): string {
  const own = Object.entries(command.flags ?? {}).map(([name, { value, describe }]) =>
    row(`--${name}${value ? ` <${value}>` : ''}`, describe),
  )
  return [
    `Usage: firstlight ${command.usage}`,
    '',
    command.summary,
    ...(own.length > 0 ? ['', 'Flags:', ...own] : []),
    ...settingGroups().flatMap(([group, entries]) => [
      '',
      `${group}:`,
      ...entries.map(([name, option]) =>
        row(`--${flagOf(name)}`, `${option.describe}${shownDefault(name, option, command)}`),
      ),
    ]),
  ].join('\n')
}

/** All settings by group, in the order of the table. */
export function settingGroups(): [string, [string, Option][]][] {
  const groups = new Map<string, [string, Option][]>()
  for (const entry of Object.entries<Option>(options)) {
    groups.set(entry[1].group, [...(groups.get(entry[1].group) ?? []), entry])
  }
  return [...groups]
}

function shownDefault(name: string, option: Option, command: Command): string {
  const value = command.defaults?.[name] ?? option.default
  return value ? ` [${value}]` : ''
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(28)}  ${right}`
}
