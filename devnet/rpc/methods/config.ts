// eth_config (EIP-7910): the rules that the node follows, so that an operator can compare nodes before a fork. A devnet has the same rules
// from its first block on, so nothing comes before or after them.
import { crc32 } from 'node:zlib'
import { addressToHex, bigintToBytes, bytesToHex, hexToBytes, toQuantity } from '../../../src/chain/bytes/hex.ts'
import { BEACON_ROOTS, HISTORY_STORAGE } from '../../../src/chain/rules/addresses.ts'
import type { BlobParameters } from '../../../src/chain/rules/forks.ts'
import { precompilesFor } from '../../../src/evm/precompiles/table.ts'
import type { DevnetChain } from '../../chain/chain.ts'
import { method } from '../method.ts'

export const configMethods = {
  eth_config: method({}, ({ chain }) => ({ current: currentConfig(chain), next: null, last: null })),
}

function currentConfig(chain: DevnetChain) {
  const { rules } = chain.envOf(chain.head().header)
  return {
    activationTime: 0,
    blobSchedule: blobSchedule(rules.blobs!),
    chainId: toQuantity(chain.chainId),
    forkId: forkId(chain),
    precompiles: Object.fromEntries(
      [...precompilesFor(rules).keys()].map((address) => [PRECOMPILE_NAMES[Number(address)], addressToHex(address)]),
    ),
    systemContracts: {
      BEACON_ROOTS_ADDRESS: addressToHex(BEACON_ROOTS),
      HISTORY_STORAGE_ADDRESS: addressToHex(HISTORY_STORAGE),
    },
  }
}

function blobSchedule({ target, max, updateFraction }: BlobParameters) {
  return { baseFeeUpdateFraction: Number(updateFraction), max, target }
}

/** EIP-6122: a checksum of the genesis hash and of the forks after it, of which there are none. */
function forkId(chain: DevnetChain): string {
  return bytesToHex(bigintToBytes(BigInt(crc32(hexToBytes(chain.hashOf(0)!))), 4))
}

/** As EIP-7910 spells them. */
const PRECOMPILE_NAMES: { readonly [address: number]: string } = {
  1: 'ECREC',
  2: 'SHA256',
  3: 'RIPEMD160',
  4: 'ID',
  5: 'MODEXP',
  6: 'BN254_ADD',
  7: 'BN254_MUL',
  8: 'BN254_PAIRING',
  9: 'BLAKE2F',
  10: 'KZG_POINT_EVALUATION',
  11: 'BLS12_G1ADD',
  12: 'BLS12_G1MSM',
  13: 'BLS12_G2ADD',
  14: 'BLS12_G2MSM',
  15: 'BLS12_PAIRING_CHECK',
  16: 'BLS12_MAP_FP_TO_G1',
  17: 'BLS12_MAP_FP2_TO_G2',
  256: 'P256VERIFY',
}
