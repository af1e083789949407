import { options } from '../app/options.ts'
import { withoutCredentials } from '../lib/log.ts'
import type { Command } from './command.ts'

export const config: Command = {
  summary: 'Print the current settings and where each comes from; secrets are hidden',
  usage: 'config',
  flags: { json: { describe: 'Print JSON' } },
  run: async ({ flags, configuration: { settings, sources, warnings }, print }) => {
    const rows = Object.keys(options).map((key) => {
      const name = key as keyof typeof options
      return { name, value: shown(name, settings[name]), source: sources[name] }
    })
    if (flags.json !== undefined) {
      print(
        JSON.stringify(Object.fromEntries(rows.map(({ name, value, source }) => [name, { value, source }])), null, 2),
      )
      return 'done'
    }
    const width = Math.max(...rows.map(({ name }) => name.length))
    for (const { name, value, source } of rows) print(`${name.padEnd(width)}  ${value ?? '-'}  (${source})`)
    for (const warning of warnings) print(`warning: ${warning}`)
    return 'done'
  },
}

function shown(name: keyof typeof options, value: unknown): string | null {
  if (value === undefined) return null
  const isSecret = 'secret' in options[name]
  const each = (item: unknown): string => {
    const text = String(item)
    // A URL is shown with its keys masked, whether the setting is a secret or not.
    return isSecret && !URL.canParse(text) ? '[hidden]' : withoutCredentials(text)
  }
  return Array.isArray(value) ? value.map(each).join(',') : each(value)
}
