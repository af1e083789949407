// The genesis state of a devnet: funded accounts, the predeploys of an OP chain, and the contracts that EIPs define.

import { EMPTY_BYTES, hexToAddress, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { GAS_PRICE_ORACLE } from '../../src/chain/rules/addresses.ts'
import { type OpFork, rulesOfFork } from '../../src/chain/rules/forks.ts'
import { artifactOf } from '../contracts/artifact.ts'
import type { ContractName } from '../contracts/catalogue.ts'
import { developers, simulatedUsers } from './accounts.ts'
import { ownAccounts } from './own-rules.ts'
import { beaconRoots, deploymentProxy, type GenesisAccount, historyStorage, predeploys } from './predeploys.ts'

/** The OP forks that a devnet can have from its first block on. */
export const DEVNET_FORKS = ['isthmus', 'jovian', 'karst'] as const satisfies readonly OpFork[]

export type DevnetFork = (typeof DEVNET_FORKS)[number]

/** What most chains of the OP Stack run. */
export const DEFAULT_DEVNET_FORK: DevnetFork = 'karst'

export type GenesisOptions = {
  readonly fork: DevnetFork
  /** Rules that no common specification has; see `own-rules.ts`. */
  readonly ownRules?: boolean
}

export function genesisState({ fork, ownRules = false }: GenesisOptions): GenesisAccount[] {
  return [
    ...developers.map(({ address }) => funded(hexToAddress(address), DEVELOPER_WEI)),
    ...simulatedUsers.map(({ address }, index) => funded(hexToAddress(address), residentWei(index))),
    ...predeploys.map(([address, name]) => contract(address, runtimeOf(name), storageOf(address, name, fork))),
    ...[beaconRoots, historyStorage, deploymentProxy].map(({ address, code }) => contract(address, hexToBytes(code))),
    ...(ownRules ? ownAccounts() : []),
  ]
}

const ETHER = 10n ** 18n
const DEVELOPER_WEI = 10_000n * ETHER
const FOUNDER_WEI = 1_000_000n * ETHER
const FEE_VAULT_MINIMUM_WEI = ETHER / 10n

/** A few accounts are rich and most are not, so that a ranking of holders is realistic. */
function residentWei(index: number): bigint {
  if (index === 0) return FOUNDER_WEI
  return (4_000n + 250_000n / BigInt(index + 1)) * ETHER
}

function funded(address: bigint, balance: bigint): GenesisAccount {
  return { address, balance, nonce: 0n, code: EMPTY_BYTES, storage: [] }
}

/** EIP-161: a contract's nonce starts at 1. */
function contract(address: bigint, code: Uint8Array, storage: GenesisAccount['storage'] = []): GenesisAccount {
  return { address, balance: 0n, nonce: 1n, code, storage }
}

/** Predeploys run no constructor: their parameters are constants or in the storage below. */
function runtimeOf(name: ContractName): Uint8Array {
  const { deployedBytecode, immutableReferences } = artifactOf(name)
  if (Object.keys(immutableReferences).length > 0) throw new Error(`${name} has immutables and cannot be a predeploy`)
  return hexToBytes(deployedBytecode)
}

function storageOf(address: bigint, name: ContractName, fork: DevnetFork): GenesisAccount['storage'] {
  if (name === 'FeeVault') {
    return [
      [1n, hexToAddress(simulatedUsers[0]!.address)],
      [2n, FEE_VAULT_MINIMUM_WEI],
    ]
  }
  return address === GAS_PRICE_ORACLE && rulesOfFork(fork).jovian ? [[0n, 1n]] : []
}
