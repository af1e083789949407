// Tokens whose events do not show their balances, on top of contracts that others wrote and publish, compiled once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import solc from 'solc'
import type { Abi, Hex } from 'viem'
import { installedPackages } from './installed-packages.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20 as OzERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626, IERC20} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC20} from "solmate/src/tokens/ERC20.sol";
import {WETH} from "solmate/src/tokens/WETH.sol";
import {ERC1155} from "solady/src/tokens/ERC1155.sol";
import {DN420} from "dn404/src/DN420.sol";

contract Wrapped is WETH {}
contract Plain is ERC20("Plain", "PLN", 18) {
  function mint(address to, uint256 amount) external { _mint(to, amount); }
  function rename(string memory text) external { name = text; symbol = text; }
}
contract Vault4626 is ERC4626 {
  constructor(IERC20 asset) OzERC20("Vault", "VLT") ERC4626(asset) {}
}
contract SharesVault is ERC20("Shares", "SHR", 18) {
  event Deposit(address indexed user, uint256 assets);
  function deposit(uint256 assets) external { _mint(msg.sender, assets / 2); emit Deposit(msg.sender, assets); }
}
contract Rebasing is OzERC20("Rebasing", "RBS") {
  uint256 public percent = 100;
  function mint(address to, uint256 amount) external { _mint(to, amount); }
  function rebase(uint256 to) external { percent = to; }
  function balanceOf(address who) public view override returns (uint256) { return super.balanceOf(who) * percent / 100; }
  function totalSupply() public view override returns (uint256) { return super.totalSupply() * percent / 100; }
}
contract Fee is ERC20("Fee", "FEE", 18) {
  address public box;
  constructor(address to) { box = to; }
  function mint(address to, uint256 amount) external { _mint(to, amount); }
  function transfer(address to, uint256 amount) public override returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount - amount / 10;
    balanceOf[box] += amount / 10;
    emit Transfer(msg.sender, to, amount);
    return true;
  }
}
contract Silent is ERC20("Silent", "SIL", 18) {
  constructor() { totalSupply = 700; balanceOf[msg.sender] = 700; }
  function grant(address to, uint256 amount) external { totalSupply += amount; balanceOf[to] += amount; }
}
contract Hybrid is DN420 {
  constructor() { _initializeDN420(5e18, msg.sender); }
  function name() public pure override returns (string memory) { return "Hybrid"; }
  function symbol() public pure override returns (string memory) { return "HYB"; }
  function uri(uint256) public pure override returns (string memory) { return ""; }
}
contract Collectible is ERC721("Collectible", "COL") {
  function mint(address to, uint256 id) external { _mint(to, id); }
}
contract Items is ERC1155 {
  function uri(uint256) public pure override returns (string memory) { return ""; }
  function mint(address to, uint256 id, uint256 amount) external { _mint(to, id, amount, ""); }
}`

/** The package's types leave out what finds imported files. */
const compile = solc.compile as (input: string, callbacks: { import: (path: string) => { contents: string } }) => string

export type Compiled = { readonly abi: Abi; readonly code: Hex }

export async function foreignTokens(): Promise<ReadonlyMap<string, Compiled>> {
  const folder = await installedPackages('tokens', fileURLToPath(new URL('../packages/tokens/', import.meta.url)))
  const input = {
    language: 'Solidity',
    sources: { 'Tokens.sol': { content: SOURCE } },
    settings: { outputSelection: { 'Tokens.sol': { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const contents = (path: string) => ({ contents: readFileSync(join(folder, 'node_modules', path), 'utf8') })
  const output = JSON.parse(compile(JSON.stringify(input), { import: contents })) as {
    errors?: { severity: string; formattedMessage: string }[]
    contracts: { 'Tokens.sol': Record<string, { abi: Abi; evm: { bytecode: { object: string } } }> }
  }
  for (const { severity, formattedMessage } of output.errors ?? []) {
    if (severity === 'error') throw new Error(formattedMessage)
  }
  return new Map(
    Object.entries(output.contracts['Tokens.sol']).map(([name, { abi, evm }]) => [
      name,
      { abi, code: `0x${evm.bytecode.object}` },
    ]),
  )
}
