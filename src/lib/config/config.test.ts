import { describe, expect, test } from 'vitest'
import { ConfigError, type ConfigInput, loadConfig } from './config.ts'
import { choice, decimal, flag, integer, list, network, text, url } from './option-types.ts'

const table = {
  HOST: { type: text, default: 'localhost', describe: '', group: 'a' },
  PORT: { type: integer(1, 65_535), default: '80', describe: '', group: 'a' },
  FEED_ENABLED: { type: flag, default: 'false', describe: '', group: 'a' },
  FEED_URL: { type: list(url('ws', 'wss')), describe: '', group: 'a' },
  LEVEL: { type: choice('low', 'high'), default: 'low', describe: '', group: 'a' },
  PROXIES: { type: list(network), default: '', describe: '', group: 'a' },
  RATE: { type: decimal(0), default: '1.5', describe: '', group: 'a' },
  SEAL_SECRET: { type: text, describe: '', group: 'a', secret: true },
} as const

function load(input: Partial<ConfigInput>) {
  return loadConfig(table, {
    flags: {},
    environment: {},
    dotenv: {},
    command: {},
    readFile: (path) => `content of ${path}\n`,
    ...input,
  })
}

describe('configuration', () => {
  test('configuration takes a flag before the environment, that before .env, that before the command, that before the default', () => {
    const sources = [
      { flags: { port: '1' } },
      { environment: { PORT: '2' } },
      { dotenv: { PORT: '3' } },
      { command: { PORT: '4' } },
    ]
    for (const [index, source] of ['flag', 'environment', '.env', 'command', 'default'].entries()) {
      const loaded = load(Object.assign({}, ...sources.slice(index)))
      expect([loaded.settings.PORT, loaded.sources.PORT]).toEqual([index === 4 ? 80 : index + 1, source])
    }
  })

  test('configuration gives each type its value', () => {
    const { settings } = load({
      environment: {
        FEED_ENABLED: 'ON',
        FEED_URL: 'ws://a, wss://b',
        LEVEL: 'HIGH',
        RATE: '2',
        PROXIES: '::1, 10.0.0.0/8,',
      },
    })
    expect(settings).toMatchObject({
      FEED_ENABLED: true,
      FEED_URL: ['ws://a', 'wss://b'],
      LEVEL: 'high',
      RATE: 2,
      PROXIES: ['::1', '10.0.0.0/8'],
    })
  })

  test('configuration treats an empty variable as unset', () => {
    expect(load({ environment: { PORT: '' } }).settings.PORT).toBe(80)
  })

  test.each([
    [{ PORT: '0' }, /PORT must be an integer from 1 to 65535 .*"0" from the environment/],
    [{ PORT: '8o' }, /PORT must be/],
    [{ FEED_ENABLED: 'maybe' }, /FEED_ENABLED must be true or false/],
    [
      { FEED_URL: 'ws://a,http://b' },
      /FEED_URL has "http:\/\/b", which must be an address that starts with ws:\/\/ or wss:\/\//,
    ],
    [{ LEVEL: 'middle' }, /LEVEL must be one of low, high/],
    [{ RATE: '-1' }, /RATE must be a number from 0/],
    [{ PORT: '99999999999999999999' }, /PORT must be an integer from 1 to 65535/],
    [{ PROXIES: '::1,10.0.0.0/33' }, /PROXIES has "10.0.0.0\/33", which must be an IP address or a network/],
  ])('configuration refuses %j and says what is allowed', (environment, message) => {
    expect(() => load({ environment })).toThrow(ConfigError)
    expect(() => load({ environment })).toThrow(message)
  })

  test('configuration never quotes a secret that it refuses', () => {
    const secretTable = { NODE_URL: { type: url('http'), describe: '', group: 'a', secret: true } } as const
    const environment = { NODE_URL: 'topsecret' }
    const input = { flags: {}, environment, dotenv: {}, command: {}, readFile: () => '' }
    expect(() => loadConfig(secretTable, input)).toThrow(
      /^NODE_URL must be http:\/\/ address \(from the environment\)$/,
    )
  })

  test('configuration reads a secret from the file that NAME_FILE names', () => {
    expect(load({ environment: { SEAL_SECRET_FILE: '/run/x' } }).settings.SEAL_SECRET).toBe('content of /run/x')
    expect(load({ environment: { HOST_FILE: '/run/x' } }).settings.HOST).toBe('localhost')
  })

  test('configuration warns of mistyped names, in .env always, in the environment when they are close to a setting', () => {
    const { warnings } = load({
      environment: { FED_ENABLED: '1', FEED_URLS: 'x', HOME: '/', SHLVL: '1' },
      dotenv: { PROT: '1', ZZZZZZ: '' },
    })
    expect(warnings).toEqual([
      '.env: PROT is not a setting; did you mean PORT?',
      '.env: ZZZZZZ is not a setting',
      'environment: FED_ENABLED is not a setting; did you mean FEED_ENABLED?',
      'environment: FEED_URLS is not a setting; did you mean FEED_URL?',
    ])
  })
})
