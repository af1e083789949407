// The embedded devnet as a part of `dev` and `devnet`: it runs in its own thread and is reached over the network only.
import { join } from 'node:path'
import { defaultHistoryBlocks } from '../../devnet/chain/protocol.ts'
import type { Devnet, DevnetAddresses } from '../../devnet/devnet.ts'
import { startDevnetThread } from '../../devnet/devnet-thread.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { DEFAULT_DEVNET_FORK, genesisState } from '../../devnet/genesis/genesis-state.ts'
import { addressToHex } from '../chain/bytes/hex.ts'
import type { GenesisAccount } from '../chain/rules/genesis.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import { lockFolder } from '../lib/folder-lock.ts'
import type { Running } from './context.ts'
import type { Config } from './options.ts'

/** Resolves when the devnet answers. Only one process at a time may write to its folder. */
export async function startDevnet(
  config: Config,
  { lifecycle, log, fail }: Running,
  { reset }: { readonly reset: boolean },
): Promise<DevnetAddresses> {
  await lifecycle.start({
    name: 'lock of the data folder',
    start: () => lockFolder(config.DATA_DIR),
    stop: (unlock) => unlock(),
  })
  return lifecycle.start(devnetPart(config, { log, fail, reset }))
}

function devnetPart(
  config: Config,
  { log, fail, reset }: Pick<Running, 'log' | 'fail'> & { readonly reset: boolean },
): Part<Devnet> {
  return {
    name: 'devnet',
    start: () =>
      startDevnetThread(
        {
          port: config.DEVNET_PORT,
          chainId: config.DEVNET_CHAIN_ID,
          blockMs: config.DEVNET_BLOCK_MS,
          flashblockMs: config.DEVNET_FLASHBLOCK_MS,
          tps: config.DEVNET_TPS,
          seed: config.DEVNET_SEED,
          fork: config.DEVNET_FORK,
          ownRules: config.DEVNET_OWN_RULES,
          historyBlocks: config.DEVNET_HISTORY_BLOCKS,
          callTimeoutMs: config.DEVNET_CALL_TIMEOUT_MS,
          folder: join(config.DATA_DIR, 'devnet'),
          reset,
          pace: 'clock',
        },
        { log, onDeath: fail },
      ),
    stop: (devnet) => devnet.stop(),
  }
}

/** Balances and contracts before the devnet's first block; they are the same at every fork. */
export function devnetGenesis({ ownRules = false }: { readonly ownRules?: boolean } = {}): GenesisAccount[] {
  return genesisState({ fork: DEFAULT_DEVNET_FORK, ownRules }).map(({ address, balance, code }) => ({
    address: addressToHex(address),
    balance,
    hasCode: code.length > 0,
  }))
}

/** The lines of the banner about the devnet. */
export function devnetRows(config: Config, { url, wsUrl, feedUrl }: DevnetAddresses): [string, string][] {
  const historyBlocks = config.DEVNET_HISTORY_BLOCKS ?? defaultHistoryBlocks(config.DEVNET_OWN_RULES)
  return [
    ['Devnet', `${url}  ${wsUrl}`],
    [
      '',
      `chain id ${config.DEVNET_CHAIN_ID}, fork ${config.DEVNET_FORK}, a block every ${config.DEVNET_BLOCK_MS} ms, ${config.DEVNET_TPS} transactions a second`,
    ],
    ['', `state of the last ${historyBlocks} blocks, calls of at most ${config.DEVNET_CALL_TIMEOUT_MS} ms`],
    ['Feed', feedUrl],
    ['Accounts', 'funded; these are the private keys of the well-known test mnemonic:'],
    ...developers.map(({ address, key }, index): [string, string] => ['', `(${index}) ${address}  ${key}`]),
  ]
}
