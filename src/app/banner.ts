// The banner at start: URLs, the development key, and which features are on or off.
import { withoutCredentials } from '../lib/log.ts'
import { version } from './context.ts'
import { type DevKey, devKeyFile, operatorTokenOf } from './data-dir.ts'
import type { Config } from './options.ts'
import type { RunningServer } from './server.ts'

export type BannerRow = readonly [name: string, value: string]

export function serverRows(config: Config, server: RunningServer): BannerRow[] {
  const { url, operatorUrl, devKey, hasTokenList, nodeAbilities, compilerSandbox } = server
  const { ROLES: roles } = config
  const socketUrl = url.replace(/^http/, 'ws')
  return [
    ['Chain', `${config.CHAIN_FULL_NAME} (${config.CHAIN_SHORT_NAME}), native currency ${config.NATIVE_SYMBOL}`],
    ['Roles', roles.join(', ')],
    ...rowsIf(roles.includes('web'), ['Explorer', url]),
    ...rowsIf(roles.includes('api'), ['API', `${url}/api/v5/${config.CHAIN_PATHS[0] ?? 'chain'}/...`]),
    ...rowsIf(roles.includes('rpc'), ['RPC', `${url}/flashblocks  ${socketUrl}/ws`]),
    ...rowsIf(config.FLASHBLOCKS_ENABLED && roles.includes('relay'), ['Relay', `${socketUrl}/flashblocks`]),
    ...rowsIf(roles.includes('web'), ['Docs', `${url}/docs`], ['Console', `${url}/console`]),
    ['Operator', `${operatorUrl}/health  /ready  /status  /metrics`],
    ['Database', config.DATABASE_URL ? withoutCredentials(config.DATABASE_URL) : `SQLite in ${config.DATA_DIR}`],
    ...switchRows(config),
    ...rowsIf(config.RPC_URL !== undefined, ['', nodeAbilities ?? 'the node does not answer yet']),
    ...rowsIf(roles.includes('indexer'), ['Prices', pricesOf(config, hasTokenList)]),
    ...rowsIf(compilerSandbox !== undefined, ['Compilers', compilerSandbox ?? '']),
    ...(devKey ? devKeyRows(config, devKey) : []),
  ]
}

function rowsIf(isShown: boolean, ...rows: BannerRow[]): BannerRow[] {
  return isShown ? rows : []
}

function devKeyRows(config: Config, { key, secret, passphrase }: DevKey): BannerRow[] {
  return [
    ['Dev key', key],
    ['Secret', secret],
    ['Passphrase', passphrase],
    ['', `also in ${devKeyFile(config.DATA_DIR)}; for this machine only`],
    ['Operator token', operatorTokenOf(config.DATA_DIR, config.OPERATOR_TOKEN)],
  ]
}

export function bannerOf(rows: readonly BannerRow[]): string {
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

function switchRows(config: Config): BannerRow[] {
  return [
    ['Node', config.RPC_URL ? `on: ${config.RPC_URL.map(withoutCredentials).join(', ')}` : 'off: RPC_URL is not set'],
    [
      'Flashblocks',
      config.FLASHBLOCKS_ENABLED
        ? `on: ${config.FLASHBLOCKS_URL?.map(withoutCredentials).join(', ')}`
        : 'off: FLASHBLOCKS_ENABLED is false',
    ],
    ...rowsIf(config.ROLES.includes('api'), [
      'Signing',
      config.AUTH === 'on' ? 'on: explorer requests must be signed' : 'off for requests from this machine',
    ]),
  ]
}

function pricesOf({ PRICE_SOURCE }: Config, hasTokenList: boolean): string {
  if (PRICE_SOURCE) return `on: ${withoutCredentials(PRICE_SOURCE)}`
  return hasTokenList ? 'on: from the token list' : 'off: neither PRICE_SOURCE nor TOKEN_LIST is set'
}
