// The devnet's genesis as a file that geth and op-geth read: from it they make the same block 0.

import { type GenesisOptions, genesisState } from '../../../devnet/genesis/genesis-state.ts'
import { addressToHex, bytesToHex, toQuantity, wordToHex } from '../../../src/chain/bytes/hex.ts'
import { rpc } from '../devnet.ts'

export type GenesisFile = Readonly<Record<string, unknown>> & {
  readonly config: Readonly<Record<string, unknown>> & { readonly chainId: number }
}

/** Of a running devnet, with its fork from the first block on. */
export async function opGenesis(devnetUrl: string, fork: GenesisOptions['fork']): Promise<GenesisFile> {
  const block = await rpc(devnetUrl, 'eth_getBlockByNumber', '0x0', false)
  const later = fork === 'isthmus' ? {} : { jovianTime: 0 }
  return {
    config: { ...(await ethereumConfig(devnetUrl)), ...OP_FORKS, ...later },
    nonce: block.nonce,
    timestamp: block.timestamp,
    extraData: block.extraData,
    gasLimit: block.gasLimit,
    difficulty: block.difficulty,
    mixHash: block.mixHash,
    coinbase: block.miner,
    baseFeePerGas: block.baseFeePerGas,
    alloc: alloc(fork),
  }
}

/** The devnet's accounts on a chain of plain Ethereum, so that the same users can live there. */
export function ethereumGenesis(chainId: number): GenesisFile {
  return {
    // op-geth refuses a schedule of blobs, geth refuses to do without.
    config: { ...ETHEREUM_FORKS, chainId, blobSchedule: { cancun: BLOBS, prague: BLOBS } },
    nonce: '0x0',
    timestamp: toQuantity(Math.floor(Date.now() / 1_000) - 60),
    extraData: '0x',
    gasLimit: toQuantity(60_000_000),
    difficulty: '0x0',
    mixHash: wordToHex(0n),
    coinbase: addressToHex(0n),
    alloc: alloc('isthmus'),
  }
}

async function ethereumConfig(url: string) {
  return { ...ETHEREUM_FORKS, chainId: Number(await rpc(url, 'eth_chainId')) }
}

const BLOBS = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 }

const ETHEREUM_FORKS = {
  homesteadBlock: 0,
  eip150Block: 0,
  eip155Block: 0,
  eip158Block: 0,
  byzantiumBlock: 0,
  constantinopleBlock: 0,
  petersburgBlock: 0,
  istanbulBlock: 0,
  muirGlacierBlock: 0,
  berlinBlock: 0,
  londonBlock: 0,
  arrowGlacierBlock: 0,
  grayGlacierBlock: 0,
  mergeNetsplitBlock: 0,
  terminalTotalDifficulty: 0,
  shanghaiTime: 0,
  cancunTime: 0,
  pragueTime: 0,
}

const OP_FORKS = {
  bedrockBlock: 0,
  regolithTime: 0,
  canyonTime: 0,
  ecotoneTime: 0,
  fjordTime: 0,
  graniteTime: 0,
  holoceneTime: 0,
  isthmusTime: 0,
  optimism: { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 },
}

/** In the spelling of a genesis file. */
export function alloc(fork: GenesisOptions['fork']) {
  return Object.fromEntries(
    genesisState({ fork }).map(({ address, balance, nonce, code, storage }) => [
      addressToHex(address),
      {
        balance: toQuantity(balance),
        nonce: toQuantity(nonce),
        code: bytesToHex(code),
        storage: Object.fromEntries(storage.map(([slot, value]) => [wordToHex(slot), wordToHex(value)])),
      },
    ]),
  )
}
