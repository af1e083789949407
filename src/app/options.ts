// Every setting of Firstlight. Environment variables, `.env`, flags, `--help` and docs/config.md are made from this table.
import type { OptionTable, Settings } from '../lib/config/config.ts'
import { choice, decimal, flag, integer, list, network, text, url, word } from '../lib/config/option-types.ts'
import { logLevels } from '../lib/log.ts'

const roles = ['indexer', 'api', 'rpc', 'relay', 'verifier', 'web'] as const
export type Role = (typeof roles)[number]

const pathSegment = word(/^[a-z0-9-]{1,32}$/, 'must be lower-case letters, digits and dashes')
const headerPrefix = word(/^[A-Za-z0-9]{1,16}$/, 'must be letters and digits')

export const options = {
  HOST: { type: text, default: '127.0.0.1', describe: 'Address to listen on', group: 'Server' },
  PORT: {
    type: integer(0, 65_535),
    default: '8545',
    describe: 'Port to listen on; 0 takes a free one',
    group: 'Server',
  },
  DATA_DIR: {
    type: text,
    default: './data',
    describe: 'Folder for everything that must survive a restart',
    group: 'Server',
  },
  ROLES: {
    type: list(choice(...roles)),
    default: roles.join(','),
    describe: 'Parts that this process runs',
    group: 'Server',
  },
  API_PROCESSES: {
    type: integer(0, 64),
    default: '0',
    describe: 'Processes that serve on the same port beside this one',
    group: 'Server',
  },
  SHARED_PORT: {
    type: flag,
    default: 'false',
    describe: 'Let other processes listen on the same port; rate limits are then counted in the database',
    group: 'Server',
  },
  MAX_CONNECTIONS: { type: integer(1), default: '20000', describe: 'Open connections at most', group: 'Server' },
  TRUSTED_PROXIES: {
    type: list(network),
    default: '',
    describe: 'Addresses or networks of reverse proxies whose X-Forwarded-For is believed',
    group: 'Server',
  },
  LOG_LEVEL: { type: choice(...logLevels), default: 'info', describe: 'Least level that is logged', group: 'Server' },

  DATABASE_URL: {
    type: url('postgres', 'postgresql'),
    describe: 'PostgreSQL; without it a SQLite file in DATA_DIR is used',
    group: 'Database',
    secret: true,
  },

  DATABASE_READ_URL: {
    type: url('postgres', 'postgresql'),
    describe: 'PostgreSQL replica that explorer answers are read from',
    group: 'Database',
    secret: true,
  },

  CHAIN_SHORT_NAME: {
    type: word(/^[A-Za-z0-9_-]{1,32}$/, 'must be letters, digits, dashes and underscores'),
    default: 'ETH',
    describe: 'Abbreviation of the chain, the value of chainShortName',
    group: 'Chain',
  },
  CHAIN_FULL_NAME: { type: text, default: 'Ethereum', describe: 'Name of the chain', group: 'Chain' },
  NATIVE_SYMBOL: { type: text, default: 'ETH', describe: 'Symbol of the native currency', group: 'Chain' },
  CHAIN_PATHS: {
    type: list(pathSegment),
    default: 'chain,xlayer,explorer',
    describe: 'Path segments that stand for the chain in /api/v5/<segment>/...; `chain` always works',
    group: 'Chain',
  },
  RPC_URL: {
    type: list(url('http', 'https', 'ws', 'wss')),
    describe: 'JSON-RPC of the node; several, comma-separated, for failover',
    group: 'Chain',
    secret: true,
  },
  RPC_TYPE: {
    type: choice('reth', 'geth', 'other'),
    default: 'reth',
    describe: 'Client that the node runs; Flashblocks need reth',
    group: 'Chain',
  },
  RPC_TYPE_CHECK: {
    type: choice('on', 'off'),
    default: 'on',
    describe: '`off` follows Flashblocks beside a node that does not say it is reth',
    group: 'Chain',
  },
  L1_RPC_URL: {
    type: url('http', 'https'),
    describe: 'JSON-RPC of layer 1, to find the origin of deposits',
    group: 'Chain',
    secret: true,
  },
  START_BLOCK: { type: integer(0), default: '0', describe: 'First block to index', group: 'Chain' },
  GENESIS: {
    type: text,
    describe: 'Genesis file (its `alloc` gives the first balances); without it the node is asked as addresses appear',
    group: 'Chain',
  },
  BALANCE_SAMPLES: {
    type: integer(0, 1000),
    default: '2',
    describe: 'Balances a block that are compared with the node; 0 switches the comparison off',
    group: 'Chain',
  },
  CHALLENGE_PERIOD_S: {
    type: integer(0),
    default: '0',
    describe: 'Challenge period of the chain in seconds; 0 where it has none',
    group: 'Chain',
  },

  FLASHBLOCKS_ENABLED: { type: flag, default: 'false', describe: 'Follow a Flashblocks feed', group: 'Flashblocks' },
  FLASHBLOCKS_URL: {
    type: list(url('ws', 'wss')),
    describe: 'WebSocket address of the feed; several, comma-separated, are raced',
    group: 'Flashblocks',
  },
  FLASHBLOCKS_STALE_MS: {
    type: integer(0),
    default: '0',
    describe: 'Silence of the feed after which `pending` answers `latest`; 0 takes three intervals, at least 2000',
    group: 'Flashblocks',
  },
  FLASHBLOCKS_LATEST: {
    type: choice('canonical', 'preconfirmed'),
    default: 'canonical',
    describe: 'What `latest` means on JSON-RPC while something is preconfirmed',
    group: 'Flashblocks',
  },
  RPC_KEYS_REQUIRED: {
    type: flag,
    default: 'false',
    describe: 'JSON-RPC and the feed ask for an API key, in the path (/flashblocks/<key>) or in x-api-key',
    group: 'Flashblocks',
  },
  RPC_GAS_CAP: {
    type: integer(21_000),
    default: '50000000',
    describe: 'Gas that one call may use',
    group: 'Flashblocks',
  },
  RPC_CALL_TIMEOUT_MS: {
    type: integer(1),
    default: '5000',
    describe: 'Time that one call may take',
    group: 'Flashblocks',
  },
  RELAY_MAX_SUBSCRIBERS: {
    type: integer(0),
    default: '10000',
    describe: 'Subscribers of the feed at most, and WebSocket connections for JSON-RPC',
    group: 'Flashblocks',
  },
  RELAY_MAX_PER_IP: {
    type: integer(1),
    default: '100',
    describe: 'Of these from one client address',
    group: 'Flashblocks',
  },
  PRECONFIRMATION_KEEP_HOURS: {
    type: integer(1),
    default: '24',
    describe: 'How long flashblocks and the account of each transaction are kept; broken promises stay for good',
    group: 'Flashblocks',
  },

  AUTH: {
    type: choice('on', 'off'),
    default: 'on',
    describe: '`off` also accepts unsigned explorer requests, from loopback only',
    group: 'Access',
  },
  AUTH_HEADER_PREFIXES: {
    type: list(headerPrefix),
    default: 'SVC,OK',
    describe: 'Prefixes of the ...-ACCESS-... headers; `SVC` always works',
    group: 'Access',
  },
  KEYS_SECRET: {
    type: text,
    describe:
      'Encrypts the secrets of API keys at rest; made in DATA_DIR on first start. Must be the same for all processes',
    group: 'Access',
    secret: true,
  },
  OPERATOR_TOKEN: {
    type: word(/^\S{16,}$/, 'must be at least 16 characters without blanks'),
    describe: 'Opens the console; made in DATA_DIR on first start. Must be the same for all processes',
    group: 'Access',
    secret: true,
  },
  RATE_LIMIT_KEY: {
    type: decimal(0),
    default: '100',
    describe: 'Requests per second of one API key; 0 is without limit',
    group: 'Access',
  },
  RATE_LIMIT_KEY_BURST: { type: integer(1), default: '200', describe: 'Requests of one key at once', group: 'Access' },
  RATE_LIMIT_IP: {
    type: decimal(0),
    default: '200',
    describe: 'Requests per second of one client address; 0 is without limit',
    group: 'Access',
  },
  RATE_LIMIT_IP_BURST: {
    type: integer(1),
    default: '400',
    describe: 'Requests of one client address at once',
    group: 'Access',
  },

  COMPILERS_DIR: {
    type: text,
    describe: 'Folder of native solc and vyper binaries; other versions are fetched from the package indexes',
    group: 'Verification',
  },
  VERIFY_KEYS_REQUIRED: {
    type: flag,
    default: 'false',
    describe: 'Sources can only be read and submitted with an API key; closes the Sourcify API, which knows no keys',
    group: 'Verification',
  },

  TOKEN_LIST: {
    type: text,
    describe:
      'File or URL of a token list (tokenlists.org); `extensions` may hold website, priceUsd, marketCapUsd, circulatingSupply, tvlUsd',
    group: 'Market data',
  },
  PRICE_SOURCE: {
    type: text,
    describe: 'Where prices come from: coingecko:<url>#<platform> or defillama:<url>#<chain>',
    group: 'Market data',
  },

  DEVNET_PORT: { type: integer(0, 65_535), default: '9545', describe: 'Port of the devnet’s own RPC', group: 'Devnet' },
  DEVNET_CHAIN_ID: {
    type: integer(1),
    // Tools that verify refuse 1337 and 31337 as chains that nobody else sees.
    default: '1337200',
    describe: 'Chain id of the devnet',
    group: 'Devnet',
  },
  DEVNET_BLOCK_MS: { type: integer(100), default: '1000', describe: 'Time between blocks', group: 'Devnet' },
  DEVNET_FLASHBLOCK_MS: { type: integer(20), default: '200', describe: 'Time between flashblocks', group: 'Devnet' },
  DEVNET_TPS: {
    type: decimal(0),
    default: '5',
    describe: 'Transactions per second that simulated users send; 0 is silence',
    group: 'Devnet',
  },
  DEVNET_SEED: { type: text, default: 'firstlight', describe: 'Seed of the simulated users', group: 'Devnet' },
} as const satisfies OptionTable

export type Config = Settings<typeof options>

/** What `dev` and `devnet` assume unless told otherwise. */
export const devDefaults: Readonly<Record<string, string>> = {
  CHAIN_SHORT_NAME: 'DEV',
  CHAIN_FULL_NAME: 'Firstlight Devnet',
  RATE_LIMIT_KEY: '5000',
  RATE_LIMIT_KEY_BURST: '10000',
  RATE_LIMIT_IP: '5000',
  RATE_LIMIT_IP_BURST: '10000',
}
