// Where the contracts of our own sources stand from the first block on. The addresses are those of every OP chain.

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
