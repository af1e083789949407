import { createPublicClient, createTestClient, type Hex, http, keccak256, publicActions, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bytesToHex, hexToAddress, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { DEPOSIT } from '../../src/chain/codec/transaction.ts'
import { encodeTransaction } from '../../src/chain/codec/transaction-codec.ts'
import { simulatedUsers } from '../genesis/accounts.ts'
import { type Anvil, startAnvil } from '../genesis/anvil-for-tests.ts'
import { runTraffic, type TrafficEvent } from './driver.ts'
import { capsuleAddress, contractAddresses, jarAddress, pairAddress } from './model/addresses.ts'
import type { Deposit } from './model/transact.ts'
import { createRpc, readContracts } from './read-contracts.ts'

const TPS = 300

describe('life on a foreign node', () => {
  const running = new AbortController()
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 1961, args: ['--block-time', '1'] })
  })
  afterAll(async () => {
    running.abort()
    await anvil.stop()
  })

  test('life on a foreign node is silent at a rate of zero', async () => {
    expect(await liveFor({ count: 1, seed: 1, tps: 0 })).toEqual([])
  })

  test('life on a foreign node founds the place and goes on as planned', async () => {
    const happenings = await liveFor({ count: 1_200, seed: 1 })
    expect(happenings.filter(({ type }) => type === 'refused')).toEqual([])

    const outcomes = await outcomesOf(happenings)
    expect(outcomes.filter(({ planned, outcome }) => planned !== outcome)).toEqual([])
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set([0, 1, 2, 4]))
    expect(outcomes.filter(({ outcome }) => outcome === 'revert').length).toBeGreaterThan(5)

    const deposits = happenings.filter((event) => event.type === 'deposit')
    expect(deposits.length).toBeGreaterThan(2)
    for (const { deposit } of deposits) expect(await includeDeposit(deposit)).toBe('success')
  })

  test('life on a foreign node goes on after a restart without founding again', async () => {
    const outcomes = await outcomesOf(await liveFor({ count: 200, seed: 1 }))
    expect(outcomes.filter(({ planned, outcome }) => planned !== outcome)).toEqual([])
    expect(outcomes.filter(({ label }) => label.startsWith('deploy A'))).toEqual([])
  })

  test('life on a foreign node finds its way back when somebody else used an account', async () => {
    const life = runTraffic({ url: anvil.url, tps: TPS, seed: 2, signal: running.signal })
    await life.next()
    const bypassed = await createRpc(anvil.url, running.signal).batch(
      simulatedUsers.map(({ address }) => ({ method: 'anvil_setNonce', params: [address, '0x10000'] })),
    )
    expect(bypassed.filter((answer) => 'error' in answer)).toEqual([])
    const seen = new Set<string>()
    for await (const { type } of life) {
      seen.add(type)
      if (seen.has('refused') && type === 'sent') break
    }
    expect(seen).toContain('refused')
  })

  test('life on a foreign node notices that the pool was emptied', async () => {
    const rpc = createRpc(anvil.url, running.signal)
    // What is in a block already cannot be lost, and would be refused for another reason.
    await rpc.request('evm_setIntervalMining', 0)
    const reasons: string[] = []
    for await (const event of runTraffic({ url: anvil.url, tps: TPS, seed: 3, signal: running.signal })) {
      await rpc.request('anvil_dropAllTransactions')
      if (event.type === 'refused') reasons.push(event.reason)
      if (reasons.length > 0) break
    }
    await rpc.request('evm_setIntervalMining', 1)
    expect(reasons).toEqual(['The node lost transactions'])
  })

  test('life on a foreign node knows where contracts will be before they are', async () => {
    const owner = simulatedUsers[3]!.address
    const salt: Hex = `0x${'5a'.repeat(32)}`
    const contracts = contractAddresses(simulatedUsers[0]!.address)
    const { JarFactory, CapsuleFactory, PairFactory, AuroraDollar, DawnToken } = contracts
    const rpc = createRpc(anvil.url, running.signal)
    const answers = await readContracts(rpc, [
      { contract: 'JarFactory', at: JarFactory, functionName: 'jarOf', args: [owner, salt] },
      { contract: 'CapsuleFactory', at: CapsuleFactory, functionName: 'addressOf', args: [owner, salt, 5n, 'note'] },
      { contract: 'PairFactory', at: PairFactory, functionName: 'getPair', args: [AuroraDollar, DawnToken] },
    ])
    expect(answers.map((address) => String(address).toLowerCase())).toEqual([
      jarAddress(contracts, owner, salt),
      capsuleAddress(contracts, salt, [owner, 5n, 'note']),
      pairAddress(contracts, AuroraDollar, DawnToken),
    ])
  })

  async function liveFor({ count, seed, tps = TPS }: { count: number; seed: number; tps?: number }) {
    const happenings: TrafficEvent[] = []
    for await (const event of runTraffic({ url: anvil.url, tps, seed, signal: running.signal })) {
      if (happenings.push(event) >= count) break
    }
    return happenings
  }

  /** What became of everything that was sent. */
  async function outcomesOf(happenings: readonly TrafficEvent[]) {
    const client = createPublicClient({ transport: http(anvil.url, { batch: true }), pollingInterval: 100 })
    const sent = happenings.filter((event) => event.type === 'sent')
    return Promise.all(
      sent.map(async ({ transaction: { label, kind, outcome: planned }, hash }) => {
        const { status } = await client.waitForTransactionReceipt({ hash })
        return { label, kind, planned, outcome: status === 'success' ? 'success' : 'revert' }
      }),
    )
  }

  /** What a sequencer does with a deposit. */
  async function includeDeposit(deposit: Deposit) {
    const raw = encodeTransaction({
      type: DEPOSIT,
      sourceHash: keccak256(stringToHex(JSON.stringify(deposit, (_, value) => String(value)))),
      from: hexToAddress(deposit.from),
      to: hexToAddress(deposit.to),
      mint: deposit.mint,
      value: deposit.value,
      gasLimit: BigInt(deposit.gas),
      isSystemTx: false,
      data: hexToBytes(deposit.data),
    })
    const client = createTestClient({ mode: 'anvil', transport: http(anvil.url) }).extend(publicActions)
    const hash = await client.sendRawTransaction({ serializedTransaction: bytesToHex(raw) })
    // This pool has room for one deposit of a sender: it goes into a block before the next one comes.
    await client.mine({ blocks: 1 })
    return (await client.getTransactionReceipt({ hash })).status
  }
})
