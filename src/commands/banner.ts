// What a person sees at start: where everything is, the development key, what is on and what is off.
import { withoutCredentials } from '../lib/log.ts'
import { devKeyFile, operatorTokenOf } from './data-dir.ts'
import type { Config } from './options.ts'
import type { RunningServer } from './server.ts'
import { version } from './version.ts'

export type BannerRow = readonly [name: string, value: string]

export const serverRows = (config: Config, { url, devKey, hasTokenList }: RunningServer): BannerRow[] => [
  ['Chain', `${config.CHAIN_FULL_NAME} (${config.CHAIN_SHORT_NAME}), native currency ${config.NATIVE_SYMBOL}`],
  ...(config.ROLES.includes('web') ? ([['Explorer', url]] satisfies BannerRow[]) : []),
  ['API', `${url}/api/v5/${config.CHAIN_PATHS[0] ?? 'chain'}/...`],
  ['RPC', `${url}/flashblocks  ${url.replace(/^http/, 'ws')}/ws`],
  ...(config.FLASHBLOCKS_ENABLED && config.ROLES.includes('relay')
    ? ([['Relay', `${url.replace(/^http/, 'ws')}/flashblocks`]] satisfies BannerRow[])
    : []),
  ...(config.ROLES.includes('web')
    ? ([
        ['Docs', `${url}/docs`],
        ['Console', `${url}/console`],
      ] satisfies BannerRow[])
    : []),
  ['Operator', `${url}/health  /ready  /status  /metrics`],
  ['Database', config.DATABASE_URL ? withoutCredentials(config.DATABASE_URL) : `SQLite in ${config.DATA_DIR}`],
  ...switchRows(config),
  ['Prices', pricesOf(config, hasTokenList)],
  ...(devKey
    ? ([
        ['Dev key', devKey.key],
        ['Secret', devKey.secret],
        ['Passphrase', devKey.passphrase],
        ['', `also in ${devKeyFile(config.DATA_DIR)}; for this machine only`],
        ['Operator token', operatorTokenOf(config.DATA_DIR, config.OPERATOR_TOKEN)],
      ] satisfies BannerRow[])
    : []),
]

export const bannerOf = (rows: readonly BannerRow[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return [
    '',
    `  Firstlight ${version}`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    '  Ctrl-C stops.',
    '',
  ].join('\n')
}

const switchRows = (config: Config): BannerRow[] => [
  ['Node', config.RPC_URL ? `on: ${config.RPC_URL.map(withoutCredentials).join(', ')}` : 'off: RPC_URL is not set'],
  [
    'Flashblocks',
    config.FLASHBLOCKS_ENABLED
      ? `on: ${config.FLASHBLOCKS_URL?.map(withoutCredentials).join(', ')}`
      : 'off: FLASHBLOCKS_ENABLED is false',
  ],
  ['Signing', config.AUTH === 'on' ? 'on: explorer requests must be signed' : 'off for requests from this machine'],
]

const pricesOf = ({ PRICE_SOURCE }: Config, hasTokenList: boolean): string => {
  if (PRICE_SOURCE) return `on: ${PRICE_SOURCE}`
  return hasTokenList ? 'those of the token list' : 'off: neither PRICE_SOURCE nor TOKEN_LIST is set'
}
