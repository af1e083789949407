// A small contract with immutables and constructor arguments, which tests of verification deploy.
import { encodeAbiParameters } from 'viem'
import { type createVerifying, solidity } from '../verifying.ts'

export const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Vault {
  address public immutable owner;
  uint256 public immutable cap;
  string public name;
  constructor(address owner_, uint256 cap_, string memory name_) { owner = owner_; cap = cap_; name = name_; }
  function room(uint256 used) external view returns (uint256) { return used > cap ? 0 : cap - used; }
  function isOwner(address who) external view returns (bool) { return who == owner; }
}
`
export const OWNER = '0x00000000000000000000000000000000000a11ce'
export const vaultArguments = encodeAbiParameters(
  [{ type: 'address' }, { type: 'uint256' }, { type: 'string' }],
  [OWNER, 1000n, 'Aurora'],
)
export const vaultInput = solidity({ 'contracts/Vault.sol': VAULT })
export function deployedVault(verifying: ReturnType<typeof createVerifying>) {
  return verifying.deployed({ input: vaultInput, name: 'Vault', constructorArguments: vaultArguments })
}
