// Addresses of the predeployed contracts, the same as on every OP chain.

import type { Hex } from '../../src/chain/bytes/hex.ts'
import {
  BASE_FEE_VAULT,
  GAS_PRICE_ORACLE,
  L1_BLOCK,
  L1_FEE_VAULT,
  L2_TO_L1_MESSAGE_PASSER,
  OPERATOR_FEE_VAULT,
  SEQUENCER_FEE_VAULT,
  WRAPPED_ETHER,
} from '../../src/chain/rules/addresses.ts'
import type { ContractName } from '../contracts/catalogue.ts'

/** An account of the genesis state. */
export type GenesisAccount = {
  readonly address: bigint
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Uint8Array
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}

const CREATE2_DEPLOYER = 0x13b0d85ccb8bf860b6b79af3029fca081ae9bef2n
export const MULTICALL3 = 0xca11bde05977b3631167028862be2a173976ca11n

export const predeploys: readonly (readonly [address: bigint, contract: ContractName])[] = [
  [WRAPPED_ETHER, 'WrappedEther'],
  [GAS_PRICE_ORACLE, 'GasPriceOracle'],
  [SEQUENCER_FEE_VAULT, 'FeeVault'],
  [L1_BLOCK, 'L1Block'],
  [L2_TO_L1_MESSAGE_PASSER, 'L2ToL1MessagePasser'],
  [BASE_FEE_VAULT, 'FeeVault'],
  [L1_FEE_VAULT, 'FeeVault'],
  [OPERATOR_FEE_VAULT, 'FeeVault'],
  [CREATE2_DEPLOYER, 'Create2Deployer'],
  [MULTICALL3, 'Multicall3'],
]

/** EIP-4788: roots of the beacon chain. */
export const beaconRoots = {
  address: 0x000f3df6d732807ef1319fb7b8bb8522d0beac02n,
  code: '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500',
} as const satisfies SystemContract

/** EIP-2935: hashes of the last 8,191 blocks. */
export const historyStorage = {
  address: 0x0000f90827f1c53a10cb7a02335b175320002935n,
  code: '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
} as const satisfies SystemContract

/** The deployment proxy that tools expect on every chain: calldata is a salt and creation code, deployed with CREATE2. */
export const deploymentProxy = {
  address: 0x4e59b44847b379578588920ca78fbf26c0b4956cn,
  code: '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
} as const satisfies SystemContract

type SystemContract = { readonly address: bigint; readonly code: Hex }
