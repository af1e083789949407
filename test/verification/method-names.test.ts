// What lists call the methods of contracts, on a chain with verified contracts, proxies of them and twins.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { createMethodNames, type MethodNames } from '../../src/explorer/state/method-names.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { writeVerified } from '../../src/store/jobs/verified-contracts.ts'
import { createNode, type Node } from '../../src/upstream/node/node.ts'
import { createVerification, createVerificationCaches } from '../../src/verification/jobs/verification.ts'
import { createContractCaches, createContractReader } from '../../src/verification/proxies/contract-reader.ts'
import { databases } from '../support/databases.ts'
import { startStillDevnet } from '../support/devnet.ts'
import { until } from '../support/until.ts'
import { type Compiled, compiledFixture, createDeployer } from '../support/verification/deployer.ts'

const log = createLog({ level: 'silent', pretty: false })
const EIP1967 = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn
const INCREMENT = toFunctionSelector('increment()')
/** Longer than it is remembered that a contract has no names. */
const LATER_MS = 70_000

let devnet: Devnet
let node: Node
let database: Database
let compiled: Map<string, Compiled>
let counter: Hex
let twin: Hex
let proxy: Hex
/** Not a contract, but it delegated itself to one. */
let account: Hex

beforeAll(async () => {
  devnet = await startStillDevnet()
  node = createNode({ urls: [devnet.url], log })
  database = await databases[0]!.open()
  compiled = compiledFixture('Proxies.sol')
  const deployer = createDeployer(devnet.url)
  counter = await deployer.deploy(compiled.get('Counter')!)
  twin = await deployer.deploy(compiled.get('Counter')!)
  proxy = await deployer.deploy(compiled.get('SlotProxy')!, [EIP1967, twin])
  account = await createDeployer(devnet.url, { account: 4 }).delegateTo(twin)
})

afterAll(async () => {
  vi.restoreAllMocks()
  node?.close()
  await devnet?.stop()
  await database?.close()
})

function namesBy(source: Pick<Node, 'batch'>): MethodNames {
  return createMethodNames({
    queries: database,
    verification: createVerification({
      database,
      node: source,
      caches: createVerificationCaches(),
      compileBudgetMs: 0,
      onAdded: () => {},
    }),
  })
}

async function incrementAt(names: MethodNames, address: Hex) {
  return (await names.own([address])).get(address + INCREMENT)
}

test('methods are named once a contract is verified, also those of its twin and of proxies of the twin', async () => {
  const names = namesBy(node)
  for (const address of [counter, twin, proxy, account]) expect(await incrementAt(names, address)).toBeUndefined()
  const { abi } = compiled.get('Counter')!
  const { codeHash } = await createContractReader(node, createContractCaches()).codeAt(counter)
  await writeVerified(database, {
    address: counter,
    codeHash,
    rank: 'exact',
    name: 'Counter',
    language: 'solidity',
    compiler: '0.8.30+commit.73712a01',
    verifiedMs: 1,
    guid: 'a'.repeat(32),
    detail: JSON.stringify({ abi }),
  })
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() + LATER_MS)
  for (const address of [counter, twin, proxy, account]) {
    // The answer of a slow node is there at a later call.
    await until(
      () => incrementAt(names, address),
      (name) => name === 'increment',
    )
  }
  expect(await incrementAt(names, `0x${'77'.repeat(20)}`)).toBeUndefined()
})

test('method names do not wait for a node that does not answer, and verified contracts have theirs without it', async () => {
  const asked: (() => void)[] = []
  const silent = createServer((_request, response) => asked.push(() => response.destroy())).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const away = createNode({ urls: [`http://127.0.0.1:${port}`], log })
  try {
    const names = namesBy(away)
    const own = await names.own([counter, proxy])
    expect(own.get(counter + INCREMENT)).toBe('increment')
    expect(own.get(proxy + INCREMENT)).toBeUndefined()
    await until(
      async () => asked.length,
      (count) => count > 0,
    )
  } finally {
    away.close()
    for (const end of asked) end()
    silent.close()
  }
})
