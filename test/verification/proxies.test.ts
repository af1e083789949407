// Resolves proxies that are deployed on a devnet: the common kinds, kinds that other explorers miss, and contracts that are no proxies.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeFunctionData, getContractAddress, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Database } from '../../src/store/engine/database.ts'
import type { JobRow } from '../../src/store/jobs/verification-jobs.ts'
import { contracts as contractsTable } from '../../src/store/schema/tables.ts'
import { createNode, type Node } from '../../src/upstream/node/node.ts'
import { createSlotTimer } from '../../src/verification/compile/pool.ts'
import { createJobWork } from '../../src/verification/jobs/job-work.ts'
import { createContractCaches, createContractReader } from '../../src/verification/proxies/contract-reader.ts'
import { databases } from '../support/databases.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { installedPackages } from '../support/installed-packages.ts'
import {
  type Compiled,
  compiledFixture,
  createDeployer,
  type Deployer,
  readFixture,
} from '../support/verification/deployer.ts'
import { createVerifying, solidity, submissionOf, type Verifying } from '../support/verifying.ts'

const log = createLog({ level: 'silent', pretty: false })
const packages = fileURLToPath(new URL('../packages/hardhat2', import.meta.url))
/** A contract of the protocol itself, whose address begins with zeros. */
const HISTORY_STORAGE = '0x0000f90827f1c53a10cb7a02335b175320002935'
const EIP1967 = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

let devnet: Devnet
let node: Node
let deployer: Deployer
let contracts: Map<string, Compiled>
let counter: Hex
let openzeppelin: (path: string) => Compiled

beforeAll(async () => {
  const installed = await installedPackages('hardhat2', packages)
  const folder = join(installed, 'node_modules/@openzeppelin/upgrades-core/artifacts/@openzeppelin/contracts-v5/proxy')
  openzeppelin = (path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Compiled
  devnet = await startStillDevnet()
  node = createNode({ urls: [devnet.url], log, giveUpAfterMs: 5_000 })
  deployer = createDeployer(devnet.url)
  contracts = compiledFixture('Proxies.sol')
  counter = await deploy('Counter')
}, 300_000)

afterAll(async () => {
  node?.close()
  await devnet?.stop()
})

function deploy(name: string, ...args: readonly unknown[]): Promise<Hex> {
  return deployer.deploy(contracts.get(name)!, args)
}

/** New caches for each call, so that nothing is cached. */
function proxyAt(address: Hex) {
  return createContractReader(node, createContractCaches()).proxyAt(address)
}

function bare(address: Hex): string {
  return address.slice(2)
}

describe('OpenZeppelin 5', () => {
  test('an ERC1967Proxy and a TransparentUpgradeableProxy of OpenZeppelin 5 are resolved to their implementation', async () => {
    const plain = await deployer.deploy(openzeppelin('ERC1967/ERC1967Proxy.sol/ERC1967Proxy.json'), [counter, '0x'])
    const transparent = await deployer.deploy(
      openzeppelin('transparent/TransparentUpgradeableProxy.sol/TransparentUpgradeableProxy.json'),
      [counter, deployer.address, '0x'],
    )
    for (const address of [plain, transparent]) {
      expect(await proxyAt(address)).toEqual({ kind: 'eip1967', implementation: counter, implementations: [counter] })
    }
    // The administrator of a transparent proxy is a contract that holds addresses, and no proxy.
    expect(await proxyAt(lower(getContractAddress({ from: transparent, nonce: 1n })))).toBeUndefined()
  })

  test('a BeaconProxy of OpenZeppelin 5 is resolved through its beacon, and the beacon itself is no proxy', async () => {
    const beacon = await deployer.deploy(openzeppelin('beacon/UpgradeableBeacon.sol/UpgradeableBeacon.json'), [
      counter,
      deployer.address,
    ])
    const proxy = await deployer.deploy(openzeppelin('beacon/BeaconProxy.sol/BeaconProxy.json'), [beacon, '0x'])
    expect(await proxyAt(proxy)).toMatchObject({ kind: 'beacon', implementation: counter })
    expect(await proxyAt(beacon)).toBeUndefined()
    const second = await deploy('Counter')
    const data = encodeFunctionData({ abi: parseAbi(['function upgradeTo(address)']), args: [second] })
    await deployer.send(beacon, data)
    expect(await proxyAt(proxy)).toMatchObject({ kind: 'beacon', implementation: second })
  })
})

describe('an implementation in a slot', () => {
  test.each([
    ['eip1967', BigInt(`0x${EIP1967}`)],
    ['eip1822', 0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7n],
    ['zeppelinos', 0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3n],
    ['slot', 77n],
  ])('the implementation in a slot of kind %s is found', async (kind, slot) => {
    expect(await proxyAt(await deploy('SlotProxy', slot, counter))).toMatchObject({ kind, implementation: counter })
  })

  test.each([
    ['slot', 'SlotZeroProxy'],
    ['slot', 'PackedProxy'],
    ['slot', 'Unitroller'],
    ['immutable', 'ImmutableProxy'],
    ['eip1967', 'PausedProxy'],
  ])('the implementation (%s) of a %s is found', async (kind, name) => {
    expect(await proxyAt(await deploy(name, counter))).toMatchObject({ kind, implementation: counter })
  })

  test('the proxy of Safe 1.4.1 is resolved as safe', async () => {
    const abi = parseAbi(['constructor(address singleton)'])
    const proxy = await deployer.deploy({ abi, bytecode: readFixture('safe-proxy-1.4.1.txt').trim() as Hex }, [counter])
    expect(await proxyAt(proxy)).toMatchObject({ kind: 'safe', implementation: counter })
  })

  test('a diamond is resolved to all its facets', async () => {
    const [first, second] = [await deploy('Counter'), await deploy('Counter')]
    expect(await proxyAt(await deploy('Diamond', [first, second], first))).toEqual({
      kind: 'diamond',
      implementation: first,
      implementations: [first, second],
    })
  })
})

describe('clones', () => {
  const args = 'c0ffee'.repeat(20)
  const clones: readonly (readonly [string, (target: string) => string])[] = [
    ['EIP-1167', (at) => `363d3d373d3d3d363d73${at}5af43d82803e903d91602b57fd5bf3`],
    ['EIP-1167 with arguments', (at) => `363d3d373d3d3d363d73${at}5af43d82803e903d91602b57fd5bf3${args}`],
    ['0age', (at) => `3d3d3d3d363d3d37363d73${at}5af43d3d93803e602a57fd5bf3`],
    ['Solady', (at) => `3d3d3d3d363d3d37363d73${at}5af43d3d93803e602a57fd5bf3`],
    ['Solady with PUSH0', (at) => `5f5f365f5f37365f73${at}5af43d5f5f3e6029573d5ffd5b3d5ff3`],
    ['EIP-7511', (at) => `365f5f375f5f365f73${at}5af43d5f5f3e5f3d91602a57fd5bf3`],
    ['old Vyper', (at) => `366000600037611000600036600073${at}5af4602c57600080fd5b6110006000f3`],
    [
      'with immutable arguments appended to the call',
      (at) => `3d3d3d3d363d3d3761003e603736393661003e013d73${at}5af43d3d93803e603557fd5bf3${args}003e`,
    ],
  ]

  test.each(clones)('a clone of the form %s is resolved', async (_name, codeOf) => {
    const clone = await deployer.deployRuntime(`0x${codeOf(bare(counter))}`)
    expect(await proxyAt(clone)).toEqual({ kind: 'minimal', implementation: counter, implementations: [counter] })
  })

  test('an EIP-1167 clone of an address whose leading zeros are not pushed is resolved', async () => {
    const code = `0x363d3d373d3d3d363d71${bare(HISTORY_STORAGE).slice(4)}5af43d82803e903d91602957fd5bf3` as const
    const clone = await deployer.deployRuntime(code)
    expect(await proxyAt(clone)).toMatchObject({ kind: 'minimal', implementation: HISTORY_STORAGE })
  })

  test('clones of an address without code are no proxies', async () => {
    const nobody = 'ab'.repeat(20)
    const clone = await deployer.deployRuntime(`0x363d3d373d3d3d363d73${nobody}5af43d82803e903d91602b57fd5bf3`)
    expect(await proxyAt(clone)).toBeUndefined()
  })

  test('the minimal EIP-1967 proxy of Solady is resolved', async () => {
    const code = `363d3d373d3d363d7f${EIP1967}545af43d6000803e6038573d6000fd5b3d6000f3`
    const proxy = await deployer.deploy({ abi: [], bytecode: storing(counter, code) })
    expect(await proxyAt(proxy)).toMatchObject({ kind: 'eip1967', implementation: counter })
  })
})

test('an account that delegated itself by EIP-7702 is resolved to the contract', async () => {
  const account = await createDeployer(devnet.url, { account: 4 }).delegateTo(counter)
  expect(await proxyAt(account)).toMatchObject({ kind: 'eip7702', implementation: counter })
})

test.each(['Factory', 'GetterOnly', 'Multicall'])('a contract %s is no proxy', async (name) => {
  expect(await proxyAt(await deploy(name, counter))).toBeUndefined()
})

test('a library, a contract that uses it, and the implementation of a proxy are no proxies', async () => {
  const sums = await deploy('Sums')
  const linked = compiledFixture('Proxies.sol', { Sums: sums })
  const user = await deployer.deploy(linked.get('UsesLibrary')!)
  for (const address of [sums, user, counter]) expect(await proxyAt(address)).toBeUndefined()
})

describe('a source for an address', { timeout: 300_000 }, () => {
  let verifying: Verifying
  let database: Database
  beforeAll(async () => {
    verifying = createVerifying()
    database = await databases[0]!.open()
  })
  afterAll(async () => {
    await verifying?.stop()
    await database?.close()
  })

  const COUNTER = solidity({ 'Proxies.sol': readFixture('Proxies.sol') }, { evmVersion: 'prague' })
  const resultAt = async (address: Hex) => {
    // The contract is in the index, so that the job does not wait for the indexer.
    const row = { address, height: 1, txPos: null, creator: null }
    await database.insert(contractsTable, [contractsTable.encode(row)])
    const work = createJobWork({
      verifier: verifying.verifier,
      node,
      queries: database,
      reader: createContractReader(node, createContractCaches()),
      highlighter: { shapeOf: async () => undefined },
      codeWaitMs: 120_000,
    })
    const payload = JSON.stringify(submissionOf(COUNTER, 'Counter'))
    const context = {
      stage: () => {},
      timer: createSlotTimer(),
      signal: AbortSignal.timeout(280_000),
      whileFetching: <T>(fetch: () => Promise<T>) => fetch(),
    }
    return (await work({ kind: 'source', address, payload } as JobRow, context)).result
  }

  test('a source of the implementation that is submitted for the proxy is refused with the address of the implementation', async () => {
    const clone = await deployer.deployRuntime(`0x363d3d373d3d3d363d73${bare(counter)}5af43d82803e903d91602b57fd5bf3`)
    const message = expect.stringContaining(`a proxy of ${counter}`)
    expect(await resultAt(clone)).toMatchObject({ code: 'no_match', message })
  })

  test('a source for a contract that no block has yet is verified once a block has it', async () => {
    const nonce = BigInt(await rpc(devnet.url, 'eth_getTransactionCount', deployer.address, 'latest'))
    const address = lower(getContractAddress({ from: deployer.address, nonce }))
    const { codeAt } = createContractReader(node, createContractCaches())
    expect((await codeAt(address)).code).toHaveLength(0)
    const result = resultAt(address)
    expect(await deploy('Counter')).toBe(address)
    expect((await codeAt(address)).code.length).toBeGreaterThan(0)
    expect(await result).toMatchObject({ type: 'verified' })
  })
})

function lower(address: string): Hex {
  return address.toLowerCase() as Hex
}

/** A constructor that stores the implementation in the slot of EIP-1967 and returns the code. */
function storing(implementation: Hex, code: string): Hex {
  const length = (code.length / 2).toString(16).padStart(2, '0')
  const head = `73${bare(implementation)}7f${EIP1967}55`
  const copied = `60${length}80${`60${(head.length / 2 + 9).toString(16).padStart(2, '0')}`}5f395ff3`
  return `0x${head}${copied}${code}`
}
