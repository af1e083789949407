// Addresses of the simulation's contracts. The deployer deploys in a fixed order, so every address follows from its own.

import { concatHex, encodeAbiParameters, getContractAddress, keccak256 } from 'viem/utils'
import { addressToHex, type Hex } from '../../../src/chain/bytes/hex.ts'
import { WRAPPED_ETHER } from '../../../src/chain/rules/addresses.ts'
import { callOf, creationOf } from '../../contracts/calldata.ts'
import type { ContractName } from '../../contracts/catalogue.ts'

/** The contracts that the deployer deploys, in the order of the deployer's nonces. */
export const deployedContracts = [
  'AuroraDollar',
  'DawnToken',
  'PairFactory',
  'Router',
  'StarAtlas',
  'Lanterns',
  'Airdrop',
  'Guestbook',
  'GuestbookSecondEdition',
  'Proxy',
  'JarFactory',
  'CapsuleFactory',
  'Almanac',
  'SunDiary',
  'Mishaps',
  'BatchAccount',
  'MayflySwarm',
  'SavingsVault',
] as const satisfies readonly ContractName[]

export type ContractAddresses = Readonly<Record<(typeof deployedContracts)[number] | 'WrappedEther', Hex>>

export function contractAddresses(deployer: Hex): ContractAddresses {
  const founded = deployedContracts.map((name, nonce) => [name, createdAddress(deployer, nonce)])
  return { ...Object.fromEntries(founded), WrappedEther: addressToHex(WRAPPED_ETHER) }
}

/** Recipient and calldata of a call to one of the contracts. */
export function callTo(
  { contracts }: { readonly contracts: ContractAddresses },
  contract: keyof ContractAddresses,
  functionName: string,
  args: readonly unknown[] = [],
) {
  return { to: contracts[contract], data: callOf(contract, functionName, args) }
}

export function pairAddress({ PairFactory }: ContractAddresses, tokenA: Hex, tokenB: Hex): Hex {
  const tokens = [tokenA, tokenB].sort() as [Hex, Hex]
  return create2Address(PairFactory, keccak256(concatHex(tokens)), creationOf('Pair', tokens))
}

export function jarAddress({ JarFactory }: ContractAddresses, owner: Hex, label: Hex): Hex {
  // The jar that all others are clones of is the first contract that the factory makes.
  const original = createdAddress(JarFactory, 1)
  const clone = concatHex(['0x3d602d80600a3d3981f3363d3d373d3d3d363d73', original, '0x5af43d82803e903d91602b57fd5bf3'])
  const salt = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [owner, label]))
  return create2Address(JarFactory, salt, clone)
}

export function capsuleAddress(
  { CapsuleFactory }: ContractAddresses,
  salt: Hex,
  contents: readonly [Hex, bigint, string],
): Hex {
  return create2Address(CapsuleFactory, salt, creationOf('TimeCapsule', contents))
}

function createdAddress(from: Hex, nonce: number) {
  return lowerCase(getContractAddress({ from, nonce: BigInt(nonce) }))
}

function create2Address(from: Hex, salt: Hex, bytecode: Hex) {
  return lowerCase(getContractAddress({ opcode: 'CREATE2', from, salt, bytecode }))
}

function lowerCase(address: Hex) {
  return address.toLowerCase() as Hex
}
