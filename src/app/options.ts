// Every setting of Firstlight. Environment variables, `.env`, flags, `--help` and docs/config.md come from this table.
import type { OptionTable, Settings } from '../lib/config/config.ts'
import { choice, decimal, flag, integer, list, network, text, url, word } from '../lib/config/option-types.ts'
import { logLevels } from '../lib/log.ts'
import { devnetOptions } from './devnet-options.ts'
import { flashblocksOptions } from './flashblocks-options.ts'

const roles = ['indexer', 'api', 'rpc', 'relay', 'verifier', 'web'] as const
export type Role = (typeof roles)[number]

const pathSegment = word(/^[a-z0-9-]{1,32}$/, 'must be lower-case letters, digits and dashes')
const headerPrefix = word(/^[A-Za-z0-9]{1,16}$/, 'must be letters and digits')

export const options = {
  HOST: { type: text, default: '127.0.0.1', describe: 'Address to listen on', group: 'Server' },
  PORT: {
    type: integer(0, 65_535),
    default: '8545',
    describe: 'Port to listen on; 0 takes any free port',
    group: 'Server',
  },
  OPERATOR_HOST: {
    type: text,
    default: '127.0.0.1',
    describe: 'Address to listen on for OPERATOR_PORT',
    group: 'Server',
  },
  OPERATOR_PORT: {
    type: integer(0, 65_535),
    describe:
      'Port that serves /status and /metrics, which PORT then does not; 0 takes any free port. Without it PORT serves them to this machine, and to others with the operator token',
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
    describe: 'Number of further processes that serve on the same port',
    group: 'Server',
  },
  SHARED_PORT: {
    type: flag,
    default: 'false',
    describe: 'Let other processes listen on the same port; rate limits are then counted in the database',
    group: 'Server',
  },
  MAX_CONNECTIONS: {
    type: integer(1),
    default: '20000',
    describe: 'Maximum number of open connections',
    group: 'Server',
  },
  SEND_BUDGET_MB: {
    type: integer(1),
    describe:
      'Memory for what was sent but not yet read by clients; above it those that read least are disconnected. Default: a tenth of the memory',
    group: 'Server',
  },
  BODY_BUDGET_MB: {
    type: integer(1),
    describe:
      'Memory for large bodies of requests under way; above it more are refused. One address may use an eighth of it. Default: a tenth of the memory',
    group: 'Server',
  },
  TRUSTED_PROXIES: {
    type: list(network),
    default: '',
    describe: 'Addresses or networks of reverse proxies whose X-Forwarded-For header is trusted',
    group: 'Server',
  },
  LOG_LEVEL: { type: choice(...logLevels), default: 'info', describe: 'Lowest level that is logged', group: 'Server' },

  DATABASE_URL: {
    type: url('postgres', 'postgresql'),
    describe: 'URL of the PostgreSQL database; without it a SQLite file in DATA_DIR is used',
    group: 'Database',
    secret: true,
  },

  DATABASE_READ_URL: {
    type: url('postgres', 'postgresql'),
    describe: 'URL of a PostgreSQL replica that the explorer reads from',
    group: 'Database',
    secret: true,
  },

  DATABASE_READ_MAX_LAG_S: {
    type: integer(1, 3_600),
    default: '10',
    describe: 'While the replica is further behind than this many seconds, the explorer reads from DATABASE_URL',
    group: 'Database',
  },

  CHAIN_SHORT_NAME: {
    type: word(/^[A-Za-z0-9_-]{1,32}$/, 'must be letters, digits, dashes and underscores'),
    default: 'ETH',
    describe: 'Short name of the chain, the value of chainShortName',
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
    describe: 'JSON-RPC URL of the node; several URLs, comma-separated, for failover',
    group: 'Chain',
    secret: true,
  },
  RPC_TYPE: {
    type: choice('reth', 'geth', 'other'),
    default: 'reth',
    describe: 'Client software of the node; Flashblocks need reth',
    group: 'Chain',
  },
  RPC_TYPE_CHECK: {
    type: choice('on', 'off'),
    default: 'on',
    describe: '`off` allows Flashblocks with a node that does not report to be reth',
    group: 'Chain',
  },
  NODE_CHECK_MS: {
    type: integer(50),
    default: '1000',
    describe: 'How often the node is asked whether it is there, in milliseconds',
    group: 'Chain',
  },
  NODE_SILENT_MS: {
    type: integer(100),
    default: '6000',
    describe: 'After this time without an answer of the node the service is not ready',
    group: 'Chain',
  },
  NODE_STALE_MS: {
    type: integer(0),
    default: '0',
    describe:
      'After this time without a new block the node counts as stuck; 0 derives it from its blocks, where they come regularly',
    group: 'Chain',
  },
  L1_RPC_URL: {
    type: url('http', 'https'),
    describe: 'JSON-RPC URL of layer 1, to find the L1 transactions of deposits',
    group: 'Chain',
    secret: true,
  },
  START_BLOCK: { type: integer(0), default: '0', describe: 'First block to index', group: 'Chain' },
  GENESIS: {
    type: text,
    describe:
      'Genesis file, whose `alloc` has the first balances; without it the node is asked when an address appears',
    group: 'Chain',
  },
  BALANCE_SAMPLES: {
    type: integer(0, 1000),
    default: '2',
    describe: 'Number of balances per block that are compared with the node; 0 switches the comparison off',
    group: 'Chain',
  },
  POOL_READ_MS: {
    type: integer(0, 3_600_000),
    default: '1000',
    describe:
      'How often the pool of the node is read for pending transactions (`txpool_content`), in milliseconds; 0 never',
    group: 'Chain',
  },
  TOKEN_READS_PER_S: {
    type: integer(0, 10_000),
    default: '200',
    describe:
      'Calls of token contracts per second, in the background, that compare balances and supplies; 0 switches the comparison off',
    group: 'Chain',
  },
  CHALLENGE_PERIOD_S: {
    type: integer(0),
    default: '0',
    describe: 'Challenge period of the chain in seconds; 0 if it has none',
    group: 'Chain',
  },

  ...flashblocksOptions,
  AUTH: {
    type: choice('on', 'off'),
    default: 'on',
    describe: '`off` also accepts unsigned explorer requests, but only from this machine',
    group: 'Access',
  },
  AUTH_HEADER_PREFIXES: {
    type: list(headerPrefix),
    default: 'SVC,OK',
    describe: 'Prefixes of the ...-ACCESS-... headers of signed requests; `SVC` always works',
    group: 'Access',
  },
  KEYS_SECRET: {
    type: text,
    describe:
      'Encrypts the secrets of API keys in the database; generated in DATA_DIR on first start. Must be the same for all processes',
    group: 'Access',
    secret: true,
  },
  OPERATOR_TOKEN: {
    type: word(/^\S{16,}$/, 'must be at least 16 characters without blanks'),
    describe:
      'Token that opens the operator console; generated in DATA_DIR on first start. Must be the same for all processes',
    group: 'Access',
    secret: true,
  },
  RATE_LIMIT_KEY: {
    type: decimal(0),
    default: '100',
    describe: 'Requests per second of one API key; 0 means no limit',
    group: 'Access',
  },
  RATE_LIMIT_KEY_BURST: {
    type: integer(1),
    default: '200',
    describe: 'Burst of requests of one API key',
    group: 'Access',
  },
  RATE_LIMIT_IP: {
    type: decimal(0),
    default: '200',
    describe: 'Requests per second of one client address; 0 means no limit',
    group: 'Access',
  },
  RATE_LIMIT_IP_BURST: {
    type: integer(1),
    default: '400',
    describe: 'Burst of requests of one client address',
    group: 'Access',
  },

  COMPILERS_DIR: {
    type: text,
    describe: 'Folder of native solc and vyper binaries; other versions are downloaded from the package indexes',
    group: 'Verification',
  },
  VERIFY_COMPILE_S: {
    type: integer(0),
    default: '600',
    describe: 'Seconds in an hour that compilers may work for one API key or one client address; 0 means no limit',
    group: 'Verification',
  },
  VERIFY_KEYS_REQUIRED: {
    type: flag,
    default: 'false',
    describe:
      'Sources can only be read and submitted with an API key; switches off the Sourcify API, which has no keys',
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

  ...devnetOptions,
} as const satisfies OptionTable

export type Config = Settings<typeof options>
