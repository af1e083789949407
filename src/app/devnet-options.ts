// The settings of the devnet, and the defaults of the commands that run one.
import { DEFAULT_DEVNET_FORK, DEVNET_FORKS } from '../../devnet/genesis/genesis-state.ts'
import type { OptionTable } from '../lib/config/config.ts'
import { choice, decimal, flag, integer, text } from '../lib/config/option-types.ts'

export const devnetOptions = {
  DEVNET_PORT: {
    type: integer(0, 65_535),
    default: '9545',
    describe: 'Port of the devnet’s JSON-RPC',
    group: 'Devnet',
  },
  DEVNET_CHAIN_ID: {
    type: integer(1),
    // Verification tools refuse 1337 and 31337 as local chains.
    default: '1337200',
    describe: 'Chain id of the devnet',
    group: 'Devnet',
  },
  DEVNET_BLOCK_MS: {
    type: integer(100),
    default: '1000',
    describe: 'Time between blocks in milliseconds',
    group: 'Devnet',
  },
  DEVNET_FLASHBLOCK_MS: {
    type: integer(0),
    default: '200',
    describe: 'Time between flashblocks in milliseconds; 0 for a chain without Flashblocks',
    group: 'Devnet',
  },
  DEVNET_TPS: {
    type: decimal(0),
    default: '5',
    describe: 'Transactions per second that simulated users send; 0 for none',
    group: 'Devnet',
  },
  DEVNET_SEED: {
    type: text,
    default: 'firstlight',
    describe: 'Seed of the random choices of simulated users',
    group: 'Devnet',
  },
  DEVNET_FORK: {
    type: choice(...DEVNET_FORKS),
    default: DEFAULT_DEVNET_FORK,
    describe: 'Fork of the OP Stack whose rules the devnet follows from its first block on',
    group: 'Devnet',
  },
  DEVNET_HISTORY_BLOCKS: {
    type: integer(64, 1_000_000),
    describe:
      'Number of blocks back to which the devnet answers questions about state; memory grows with it. Default: 256, with DEVNET_OWN_RULES 1280',
    group: 'Devnet',
  },
  DEVNET_CALL_TIMEOUT_MS: {
    type: integer(1, 3_600_000),
    default: '5000',
    describe: 'Maximum time of one call to the devnet, in milliseconds; traces of blocks get at least 30 seconds',
    group: 'Devnet',
  },
  DEVNET_OWN_RULES: {
    type: flag,
    default: 'false',
    describe:
      'The devnet has rules of its own, like Base: block times in milliseconds, transactions of type 0x7d, a token without code',
    group: 'Devnet',
  },
} as const satisfies OptionTable

/** Defaults of the commands `dev` and `devnet`. */
export const devDefaults: Readonly<Record<string, string>> = {
  CHAIN_SHORT_NAME: 'DEV',
  CHAIN_FULL_NAME: 'Firstlight Devnet',
  RATE_LIMIT_KEY: '5000',
  RATE_LIMIT_KEY_BURST: '10000',
  RATE_LIMIT_IP: '5000',
  RATE_LIMIT_IP_BURST: '10000',
  RPC_WORK_PER_S: '500000000',
  RPC_WORK_BURST: '5000000000',
}
