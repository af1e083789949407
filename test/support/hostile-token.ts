// A token whose name, symbol and refusals are written to break pages.
import solc from 'solc'
import { createPublicClient, createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { developers } from '../../devnet/genesis/accounts.ts'

export const HOSTILE = '"><img src=x onerror="hacked=1"><script>hacked=1</script>'

export type Hostile = { token: Hex; creation: Hex; revert: Hex }

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Hostile {
  string constant text = unicode'${HOSTILE}';
  event Transfer(address indexed from, address indexed to, uint256 value);
  constructor() { emit Transfer(address(0), msg.sender, 1e18); }
  function name() external pure returns (string memory) { return text; }
  function symbol() external pure returns (string memory) { return text; }
  function decimals() external pure returns (uint8) { return 18; }
  function totalSupply() external pure returns (uint256) { return 1e18; }
  function balanceOf(address) external pure returns (uint256) { return 1e18; }
  function refuse() external pure { revert(text); }
}`

export async function deployHostile(nodeUrl: string): Promise<Hostile> {
  const transport = http(nodeUrl)
  const client = createPublicClient({ transport })
  const wallet = createWalletClient({ account: privateKeyToAccount(developers[9]!.key), transport })
  const creation = await wallet.sendTransaction({ chain: null, data: compiled() })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash: creation, pollingInterval: 200 })
  const data = encodeFunctionData({ abi: [REFUSE], functionName: 'refuse' })
  const revert = await wallet.sendTransaction({ chain: null, to: contractAddress!, data, gas: 200_000n })
  await client.waitForTransactionReceipt({ hash: revert, pollingInterval: 200 })
  return { token: contractAddress!, creation, revert }
}

const REFUSE = { type: 'function', name: 'refuse', inputs: [], outputs: [], stateMutability: 'pure' } as const

function compiled(): Hex {
  const input = {
    language: 'Solidity',
    sources: { 'Hostile.sol': { content: SOURCE } },
    settings: { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    contracts: { 'Hostile.sol': { Hostile: { evm: { bytecode: { object: string } } } } }
  }
  return `0x${output.contracts['Hostile.sol'].Hostile.evm.bytecode.object}`
}
