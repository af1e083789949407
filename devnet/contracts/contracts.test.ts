import { createTestClient, encodeEventTopics, type Hex, http, parseEther, publicActions, walletActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TEST_MNEMONIC } from '../genesis/accounts.ts'
import { type Anvil, startAnvil } from '../genesis/anvil-for-tests.ts'
import { artifactOf } from './artifact.ts'
import { callOf, creationOf } from './calldata.ts'
import type { ContractName } from './catalogue.ts'

const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const STRANGER: Hex = '0x00000000000000000000000000000000005742a6'
const NEVER = 2n ** 256n - 1n

describe('the contracts on a foreign node', () => {
  const chain = { ...foundry, id: 1961 }
  const account = mnemonicToAccount(TEST_MNEMONIC)
  const me = account.address
  let anvil: Anvil
  let client: ReturnType<typeof connect>
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: chain.id })
    client = connect(anvil.url)
  })
  afterAll(() => anvil.stop())

  test('the exchange trades at the quoted price and never lets the product of the reserves fall', async () => {
    const dollar = await deploy('AuroraDollar', [me])
    const dawn = await deploy('DawnToken', [me, parseEther('1000000')])
    const factory = await deploy('PairFactory')
    const router = await deploy('Router', [factory, '0x4200000000000000000000000000000000000006'])
    await send('AuroraDollar', dollar, 'mint', [me, 10n ** 12n])
    await send('AuroraDollar', dollar, 'approve', [router, NEVER])
    await send('DawnToken', dawn, 'approve', [router, NEVER])
    await send('Router', router, 'addLiquidity', [dollar, dawn, 10n ** 11n, parseEther('80000'), me, NEVER])
    const pair = await read<Hex>('PairFactory', factory, 'getPair', [dollar, dawn])
    const product = async () => (await read<bigint[]>('Pair', pair, 'reserves')).reduce((a, b) => a * b)

    const before = await product()
    const quoted = await read<bigint>('Router', router, 'quote', [10n ** 9n, [dollar, dawn]])
    await send('Router', router, 'swapTokens', [10n ** 9n, quoted, [dollar, dawn], STRANGER, NEVER])
    expect(await read('DawnToken', dawn, 'balanceOf', [STRANGER])).toBe(quoted)
    expect(await product()).toBeGreaterThan(before)

    const shares = await read<bigint>('Pair', pair, 'balanceOf', [me])
    await send('Pair', pair, 'approve', [router, shares])
    await send('Router', router, 'removeLiquidity', [dollar, dawn, shares, me, NEVER])
    expect(await read('Pair', pair, 'totalSupply')).toBe(1_000n)
  })

  test('the proxy has its implementation where ERC-1967 says, and its pages survive an upgrade', async () => {
    const first = await deploy('Guestbook')
    const second = await deploy('GuestbookSecondEdition')
    const proxy = await deploy('Proxy', [first, callOf('Guestbook', 'initialize', [me])])
    await send('Guestbook', proxy, 'sign', ['hello'])
    await send('Guestbook', proxy, 'upgradeToAndCall', [second, '0x'])
    expect((await client.getStorageAt({ address: proxy, slot: IMPLEMENTATION_SLOT }))?.slice(-40)).toBe(second.slice(2))
    expect(await read('Guestbook', proxy, 'pages')).toBe(1n)
    expect(await read('Guestbook', proxy, 'edition')).toBe(2n)
    const { logs } = await send('Guestbook', proxy, 'sign', ['again'])
    expect(logs.length).toBe(2)
  })

  test('the factory creates jars that are clones of ERC-1167', async () => {
    const factory = await deploy('JarFactory')
    const label: Hex = `0x${'01'.repeat(32)}`
    await send('JarFactory', factory, 'make', [label], 5n)
    const original = await read<Hex>('JarFactory', factory, 'original')
    const jar = await read<Hex>('JarFactory', factory, 'jarOf', [me, label])
    expect(await client.getCode({ address: jar })).toBe(
      `0x363d3d373d3d3d363d73${original.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`,
    )
    expect(await client.getBalance({ address: jar })).toBe(5n)
    await expect(send('JarFactory', factory, 'make', [label])).rejects.toThrow('JarExists')
  })

  test('a contract computes the date with a linked library', async () => {
    const almanac = await deploy('Almanac')
    const dates = await Promise.all(
      [0n, 951_782_400n, 1_709_251_199n, 4_107_542_400n].map((time) => read('Almanac', almanac, 'dateOf', [time])),
    )
    expect(dates).toEqual([
      [1970n, 1n, 1n],
      [2000n, 2n, 29n],
      [2024n, 2n, 29n],
      [2100n, 3n, 1n],
    ])
    const diary = await created(creationOf('SunDiary', [], { Almanac: almanac }))
    const { logs } = await send('SunDiary', diary, 'note')
    expect(logs[0]?.address).toBe(diary)
  })

  test('only a mayfly that destroys itself in the transaction of its creation is removed', async () => {
    const swarm = await deploy('MayflySwarm')
    const fluttered = mayflyOf(await send('MayflySwarm', swarm, 'flutter', [STRANGER], 7n))
    expect(await client.getCode({ address: fluttered })).toBeUndefined()
    const hatched = mayflyOf(await send('MayflySwarm', swarm, 'hatch', [], 7n))
    await send('MayflySwarm', swarm, 'release', [STRANGER])
    expect(await client.getCode({ address: hatched })).toBeDefined()
    expect(await client.getBalance({ address: STRANGER })).toBe(14n)
  })

  test('a batch runs on an account that delegates', async () => {
    const code = await deploy('BatchAccount')
    const sender = mnemonicToAccount(TEST_MNEMONIC, { addressIndex: 1 })
    const authorization = await client.signAuthorization({ account: sender, contractAddress: code, executor: 'self' })
    const gift = (value: bigint) => ({ target: STRANGER, value, data: '0x' })
    const before = await client.getBalance({ address: STRANGER })
    const data = callOf('BatchAccount', 'execute', [[gift(1n), gift(2n)]])
    await client.sendTransaction({ account: sender, to: sender.address, data, authorizationList: [authorization] })
    expect(await client.getBalance({ address: STRANGER })).toBe(before + 3n)
    expect(await client.getCode({ address: sender.address })).toBe(`0xef0100${code.slice(2)}`)
    await expect(send('BatchAccount', sender.address, 'execute', [[gift(1n)]])).rejects.toThrow('NotSelf')
  })

  test('the vault written in Vyper stores savings', async () => {
    const vault = await deploy('SavingsVault')
    const { logs } = await send('SavingsVault', vault, 'save', [], 100n)
    expect(logs[0]?.topics[0]).toBe(encodeEventTopics({ abi: artifactOf('SavingsVault').abi, eventName: 'Saved' })[0])
    await send('SavingsVault', vault, 'give', [STRANGER, 30n])
    await send('SavingsVault', vault, 'take', [20n])
    expect(await read('SavingsVault', vault, 'savings', [me])).toBe(50n)
    expect(await read('SavingsVault', vault, 'total')).toBe(80n)
    expect(await read('SavingsVault', vault, 'savers')).toBe(2n)
    await expect(send('SavingsVault', vault, 'take', [51n])).rejects.toThrow('savings too small')
  })

  test.each([
    ['withMessage', [], 'the wind blew the candle out'],
    ['withCustomError', [3n], 'CandleTooShort'],
    ['withPanic', [], 'out-of-bounds'],
    ['withDivision', [3n], 'division'],
  ])('a call of %s fails in the way that its name says', async (functionName, args, reason) => {
    const mishaps = await deploy('Mishaps')
    await expect(read('Mishaps', mishaps, functionName, args)).rejects.toThrow(reason)
  })

  function connect(url: string) {
    const transport = http(url)
    return createTestClient({ mode: 'anvil', account, chain, transport, pollingInterval: 50 })
      .extend(publicActions)
      .extend(walletActions)
  }

  const deploy = (contract: ContractName, args: unknown[] = []) => created(creationOf(contract, args))

  async function created(data: Hex): Promise<Hex> {
    const hash = await client.sendTransaction({ to: null, data })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    return contractAddress!.toLowerCase() as Hex
  }

  async function send(contract: ContractName, address: Hex, functionName: string, args: unknown[] = [], value = 0n) {
    const { abi } = artifactOf(contract)
    const { request } = await client.simulateContract({ account, abi, address, functionName, args, value })
    const hash = await client.writeContract(request)
    return client.waitForTransactionReceipt({ hash })
  }

  const read = <T>(contract: ContractName, address: Hex, functionName: string, args: unknown[] = []) =>
    client.readContract({ abi: artifactOf(contract).abi, address, functionName, args }) as Promise<T>

  const mayflyOf = ({ logs }: Awaited<ReturnType<typeof send>>): Hex => `0x${logs[0]!.topics[1]!.slice(-40)}`
})
