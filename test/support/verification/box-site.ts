// A site with contracts to verify in a browser: one that is verified, its twin, a proxy to it and a stranger. The source and the label try
// to be HTML.
import type { Browser, Locator, Page } from 'playwright-core'
import { createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { developers } from '../../../devnet/genesis/accounts.ts'
import { testBrowser } from '../browser.ts'
import { freePort } from '../free-port.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { type Compiled, compiledSource, createDeployer } from './deployer.ts'

export type BoxSite = {
  readonly server: TestServer
  readonly browser: Browser
  /** URL of the node. */
  readonly devnet: string
  readonly abi: Compiled['abi']
  readonly box: Hex
  /** The same code. */
  readonly other: Hex
  /** A proxy to the box. */
  readonly pointer: Hex
  readonly stranger: Hex
  /** A transaction that the box reverted. */
  readonly refused: Hex
}

export const HOSTILE = '<img src=x onerror="hacked=1">'

export const BOX = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// ${HOSTILE}
contract Box {
    error TooLarge(uint256 given, uint256 most);
    event Replaced(address indexed by, uint256 next);
    uint256 public value;
    string public label;
    constructor(uint256 start, string memory name) { value = start; label = name; }
    function set(uint256 next) external payable {
        if (next > 1000) revert TooLarge(next, 1000);
        value = next;
        emit Replaced(msg.sender, next);
    }
    function sums(uint256[] calldata list) external view returns (uint256 sum, address self) {
        for (uint256 i; i < list.length; i++) sum += list[i];
        self = address(this);
    }
}
contract Stranger {
    function transfer(address to, uint256 amount) external pure returns (bool) { return to != address(0) && amount > 0; }
}
contract Pointer {
    bytes32 constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    constructor(address target) { bytes32 slot = SLOT; assembly { sstore(slot, target) } }
    fallback() external payable {
        bytes32 slot = SLOT;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
`

export async function startBoxSite(): Promise<BoxSite> {
  const port = await freePort()
  const devnet = `http://127.0.0.1:${port}`
  const [server, browser] = await Promise.all([
    startTestServer({ ROLES: 'indexer,api,rpc,verifier,web', DEVNET_PORT: port, DEVNET_TPS: '2', RATE_LIMIT_IP: '0' }),
    testBrowser(),
  ])
  const contracts = compiledSource('Box.sol', BOX)
  const deployer = createDeployer(devnet)
  const box = await deployer.deploy(contracts.get('Box') as Compiled, [7n, HOSTILE])
  const other = await deployer.deploy(contracts.get('Box') as Compiled, [8n, 'twin'])
  const pointer = await deployer.deploy(contracts.get('Pointer') as Compiled, [box])
  const stranger = await deployer.deploy(contracts.get('Stranger') as Compiled)
  const { abi } = contracts.get('Box') as Compiled
  const refused = await createWalletClient({
    account: privateKeyToAccount(developers[6]!.key),
    transport: http(devnet),
  }).sendTransaction({
    chain: null,
    to: box,
    data: encodeFunctionData({ abi, functionName: 'set', args: [5000n] }),
    gas: 200_000n,
  })
  return { server, browser, devnet, abi, box, other, pointer, stranger, refused }
}

/** Fills in the form for the box and waits for the page of the job. */
export async function submitSource(page: Page, form: string, source: string): Promise<void> {
  await page.goto(form)
  await page.locator('[name=contractName]').fill('Box')
  await page.locator('[name=compilerVersion]').fill('v0.8.30')
  await page.locator('[name=sourceCode]').fill(source)
  await page.locator('[name=evmVersion]').selectOption('prague')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL(/\/verify\/[0-9a-f]{32}$/)
}

/** Opens the form of one function on the page of a contract. */
export async function openCall(
  page: Page,
  contract: string,
  { section, name }: { section: string; name: string },
): Promise<Locator> {
  await page.goto(`${contract}?tab=contract&section=${section}`)
  const call = page
    .locator('.contract-call')
    .filter({ has: page.locator('summary', { hasText: new RegExp(`^\\s*${name}`) }) })
  await call.locator('summary').click()
  return call
}
