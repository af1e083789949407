// Settings of the pending chain, its JSON-RPC and the relay.
import type { OptionTable } from '../lib/config/config.ts'
import { choice, flag, integer, list, url } from '../lib/config/option-types.ts'

export const flashblocksOptions = {
  FLASHBLOCKS_ENABLED: { type: flag, default: 'false', describe: 'Follow a Flashblocks feed', group: 'Flashblocks' },
  FLASHBLOCKS_URL: {
    type: list(url('ws', 'wss')),
    describe: 'WebSocket URL of the feed; of several URLs, comma-separated, the fastest message counts',
    group: 'Flashblocks',
  },
  FLASHBLOCKS_STALE_MS: {
    type: integer(0),
    default: '0',
    describe:
      'After this time without a flashblock `pending` answers `latest`; 0 means three flashblock intervals, at least 2000 ms',
    group: 'Flashblocks',
  },
  FLASHBLOCKS_LATEST: {
    type: choice('canonical', 'preconfirmed'),
    default: 'canonical',
    describe: 'The block that `latest` means in JSON-RPC while there are preconfirmed blocks',
    group: 'Flashblocks',
  },
  FLASHBLOCKS_HOLD_RECEIPTS: {
    type: flag,
    default: 'true',
    describe:
      'eth_getTransactionReceipt of a transaction that was sent here waits for its preconfirmation, one block time at most',
    group: 'Flashblocks',
  },
  RPC_KEYS_REQUIRED: {
    type: flag,
    default: 'false',
    describe: 'JSON-RPC and the feed require an API key, in the path (/flashblocks/<key>) or in the x-api-key header',
    group: 'Flashblocks',
  },
  RPC_GAS_CAP: {
    type: integer(21_000),
    default: '50000000',
    describe: 'Maximum gas of one call',
    group: 'Flashblocks',
  },
  RPC_WORK_PER_S: {
    type: integer(0),
    default: '50000000',
    describe:
      'Work of JSON-RPC that one client address or key may cause per second, in units of gas; time, bytes and calls to the node are counted too; 0 means no limit',
    group: 'Flashblocks',
  },
  RPC_WORK_BURST: {
    type: integer(1),
    default: '500000000',
    describe: 'Burst of this work',
    group: 'Flashblocks',
  },
  RPC_CALL_TIMEOUT_MS: {
    type: integer(1),
    default: '5000',
    describe: 'Maximum time of one call in milliseconds',
    group: 'Flashblocks',
  },
  RELAY_MAX_SUBSCRIBERS: {
    type: integer(0),
    default: '10000',
    describe: 'Maximum number of feed subscribers, and of WebSocket connections for JSON-RPC',
    group: 'Flashblocks',
  },
  RELAY_MAX_PER_IP: {
    type: integer(1),
    default: '100',
    describe: 'Maximum number of these from one client address',
    group: 'Flashblocks',
  },
  PRECONFIRMATION_KEEP_HOURS: {
    type: integer(1),
    default: '24',
    describe:
      'How long flashblocks and preconfirmation records are stored; records of changed and dropped transactions are never deleted',
    group: 'Flashblocks',
  },
} as const satisfies OptionTable
