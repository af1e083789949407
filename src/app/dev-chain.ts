// The embedded devnet as a part of a command: started in its own thread, reached over the wire only.
import { join } from 'node:path'
import type { Devnet, DevnetAddresses } from '../../devnet/devnet.ts'
import { startDevnetThread } from '../../devnet/devnet-thread.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { genesisState } from '../../devnet/genesis/genesis-state.ts'
import { addressToHex } from '../chain/bytes/hex.ts'
import type { GenesisAccount } from '../chain/rules/genesis-alloc.ts'
import { lockFolder } from '../lib/folder-lock.ts'
import type { Config } from './options.ts'
import type { Running } from './run-until-signal.ts'

export async function startDevChain(
  config: Config,
  { lifecycle, log, fail }: Running,
  { reset }: { reset: boolean },
): Promise<DevnetAddresses> {
  const folder = join(config.DATA_DIR, 'devnet')
  let unlock: (() => void) | undefined
  await lifecycle.start({
    name: 'devnet folder',
    start: () => {
      unlock = lockFolder(config.DATA_DIR)
    },
    stop: () => unlock?.(),
  })
  let devnet: Devnet | undefined
  await lifecycle.start({
    name: 'devnet',
    start: async () => {
      devnet = await startDevnetThread(
        {
          port: config.DEVNET_PORT,
          chainId: config.DEVNET_CHAIN_ID,
          blockMs: config.DEVNET_BLOCK_MS,
          flashblockMs: config.DEVNET_FLASHBLOCK_MS,
          tps: config.DEVNET_TPS,
          seed: config.DEVNET_SEED,
          folder,
          reset,
          pace: 'clock',
        },
        { log, onDeath: fail },
      )
    },
    stop: () => devnet?.stop(),
  })
  return devnet!
}

/** Who holds what before the devnet's first block. */
export function devnetGenesis(): GenesisAccount[] {
  return genesisState({ fork: 'isthmus' }).map(({ address, balance, code }) => ({
    address: addressToHex(address),
    balance,
    hasCode: code.length > 0,
  }))
}

/** The lines of the banner that a developer copies from. */
export function devChainRows(config: Config, { url, wsUrl, feedUrl }: DevnetAddresses): [string, string][] {
  return [
    ['Devnet', `${url}  ${wsUrl}`],
    [
      '',
      `chain id ${config.DEVNET_CHAIN_ID}, a block every ${config.DEVNET_BLOCK_MS} ms, ${config.DEVNET_TPS} transactions a second`,
    ],
    ['Feed', feedUrl],
    ['Accounts', 'funded, with the keys of the well-known test mnemonic:'],
    ...developers.map(({ address, key }, index): [string, string] => ['', `(${index}) ${address}  ${key}`]),
  ]
}
