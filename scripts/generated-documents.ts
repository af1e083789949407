import { devDefaults } from '../src/app/devnet-options.ts'
import { settingGroups } from '../src/cli/help.ts'
import { openapiDocument } from '../src/http/api/openapi.ts'
import { flagOf } from '../src/lib/config/config.ts'

const docs = new URL('../docs/', import.meta.url)

export function generatedDocuments(): { file: URL; text: string }[] {
  return [
    { file: new URL('openapi.json', docs), text: `${JSON.stringify(openapiDocument(), null, 2)}\n` },
    { file: new URL('config.md', docs), text: configDocument() },
  ]
}

function configDocument(): string {
  return [
    '# Configuration',
    '',
    'Generated from `src/app/options.ts` by `npm run docs`.',
    '',
    'Every setting is an environment variable, a line in `.env`, or a flag (`RATE_LIMIT_KEY` is `--rate-limit-key`). Flags win',
    'over the environment, the environment over `.env`. A secret can also be given as a file: `KEYS_SECRET_FILE=/run/secrets/keys`.',
    '`firstlight config` prints the current values and where each comes from.',
    ...settingGroups().flatMap(([group, entries]) => [
      '',
      `## ${group}`,
      '',
      '| name | flag | type | default | what it does |',
      '|---|---|---|---|---|',
      ...entries.map(
        ([name, option]) =>
          `| \`${name}\` | \`--${flagOf(name)}\` | ${option.type.description!.replaceAll('|', '\\|')} | ${defaultCell(name, option.default)} | ${option.describe}${option.secret ? ' (secret)' : ''} |`,
      ),
    ]),
    '',
  ].join('\n')
}

function defaultCell(name: string, value: string | undefined): string {
  const plain = value ? `\`${value}\`` : 'none'
  return devDefaults[name] === undefined ? plain : `${plain}; in \`dev\` \`${devDefaults[name]}\``
}
