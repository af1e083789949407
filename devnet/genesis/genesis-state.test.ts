import { existsSync, readFileSync } from 'node:fs'
import {
  concatHex,
  createPublicClient,
  createTestClient,
  createWalletClient,
  getContractAddress,
  type Hex,
  http,
  parseEther,
  publicActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { optimism } from 'viem/chains'
import { publicActionsL2 } from 'viem/op-stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressToHex, bytesToHex } from '../../src/chain/bytes/hex.ts'
import {
  BASE_FEE_VAULT,
  GAS_PRICE_ORACLE,
  L1_BLOCK,
  L2_TO_L1_MESSAGE_PASSER,
  WRAPPED_ETHER,
} from '../../src/chain/rules/addresses.ts'
import { artifactOf } from '../contracts/artifact.ts'
import { callOf } from '../contracts/calldata.ts'
import { developers, simulatedUsers, TEST_MNEMONIC } from './accounts.ts'
import { type Anvil, startAnvil } from './anvil-for-tests.ts'
import { genesisState } from './genesis-state.ts'
import { beaconRoots, deploymentProxy, historyStorage } from './predeploys.ts'

const DEPOSITOR: Hex = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'

/** Length and period of bytes, and what another FastLZ makes of them. */
const compressedLengths = [
  [300, 251, 268],
  [1_000, 97, 119],
  [20_000, 4_099, 2_326],
  [20_000, 9_001, 4_416],
  [150, 149, 155],
  [9_000, 256, 372],
] as const

describe('the genesis state', () => {
  test('the genesis state names every account once', () => {
    const addresses = genesisState({ fork: 'isthmus' }).map((account) => account.address)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test('the gas price oracle knows that Jovian is active', () => {
    const storageAt = (fork: 'isthmus' | 'jovian') =>
      genesisState({ fork }).find((account) => account.address === GAS_PRICE_ORACLE)?.storage
    expect(storageAt('isthmus')).toEqual([])
    expect(storageAt('jovian')).toEqual([[0n, 1n]])
  })

  test('the genesis state has the code of the EIPs that other chains have', ({ skip }) => {
    const file = new URL('../../../shared/fixtures/execution-apis/genesis.json', import.meta.url)
    if (!existsSync(file)) {
      console.log('there are no shared fixtures: system contracts are not compared with another genesis')
      skip()
    }
    const { alloc } = JSON.parse(readFileSync(file, 'utf8'))
    for (const { address, code } of [beaconRoots, historyStorage]) {
      expect(alloc[addressToHex(address).slice(2)].code).toBe(code)
    }
  })
})

describe('the genesis state on a foreign node', () => {
  const chain = { ...optimism, id: 1961 }
  let anvil: Anvil
  let client: ReturnType<typeof connect>

  beforeAll(async () => {
    anvil = await startAnvil({ chainId: chain.id })
    client = connect(anvil.url)
  })
  afterAll(() => anvil.stop())

  function connect(url: string) {
    const transport = http(url)
    const testClient = createTestClient({ mode: 'anvil', chain, transport }).extend(publicActions)
    const account = mnemonicToAccount(TEST_MNEMONIC)
    const wallet = createWalletClient({ account, chain, transport })
    const layer2 = createPublicClient({ chain, transport }).extend(publicActionsL2())
    return { ...testClient, wallet, layer2 }
  }

  const read = <T>(
    contract: Parameters<typeof artifactOf>[0],
    address: bigint,
    functionName: string,
    args: unknown[] = [],
  ) =>
    client.readContract({
      abi: artifactOf(contract).abi,
      address: addressToHex(address),
      functionName,
      args,
    }) as Promise<T>

  /** Sends a transaction from any account, keys or not, and gives its receipt. */
  async function send(transaction: { account: Hex; to: Hex; data?: Hex; value?: bigint }) {
    await client.impersonateAccount({ address: transaction.account })
    await client.setBalance({ address: transaction.account, value: parseEther('100') })
    const hash = await client.wallet.sendTransaction({ gas: 1_000_000n, ...transaction })
    return client.waitForTransactionReceipt({ hash })
  }

  test('the genesis state on a foreign node funds developers and residents', async () => {
    expect(await client.getBalance({ address: developers[9]!.address })).toBe(parseEther('10000'))
    expect(await client.getBalance({ address: simulatedUsers[5]!.address })).toBeGreaterThan(parseEther('1000'))
  })

  test('the genesis state on a foreign node deploys through the deployment proxy', async () => {
    const to = addressToHex(deploymentProxy.address)
    const { bytecode, deployedBytecode } = artifactOf('Mishaps')
    const salt: Hex = `0x${'07'.repeat(32)}`
    await send({ account: developers[4]!.address, to, data: concatHex([salt, bytecode]) })
    const address = getContractAddress({ opcode: 'CREATE2', from: to, salt, bytecode })
    expect(await client.getCode({ address })).toBe(deployedBytecode)
  })

  test('the genesis state on a foreign node keeps the attributes of Isthmus and Jovian in the slots that nodes read', async () => {
    const setWith = (selector: string, tail: string) =>
      send({ account: DEPOSITOR, to: addressToHex(L1_BLOCK), data: `0x${selector}${packedAttributes}${tail}` })
    const slot = async (index: number) =>
      BigInt((await client.getStorageAt({ address: addressToHex(L1_BLOCK), slot: `0x${index}` }))!)

    expect((await setWith('098999be', `${hex(7, 4)}${hex(9, 8)}`)).status).toBe('success')
    expect(await slot(0)).toBe((1_700_000_000n << 64n) | 19_000_000n)
    expect(await slot(1)).toBe(12_000_000_000n)
    expect(await slot(2)).toBe(0xaan)
    expect(await slot(3)).toBe((5_227n << 96n) | (1_014_213n << 64n) | 3n)
    expect(await slot(4)).toBe(0xbbn)
    expect(await slot(7)).toBe(2_000_000n)
    expect(await slot(8)).toBe((7n << 64n) | 9n)

    expect((await setWith('3db6be2b', `${hex(7, 4)}${hex(9, 8)}${hex(400, 2)}`)).status).toBe('success')
    expect(await slot(8)).toBe((400n << 96n) | (7n << 64n) | 9n)
    expect(await read('L1Block', L1_BLOCK, 'daFootprintGasScalar')).toBe(400)
    expect((await setWith('440a5e20', '')).status).toBe('success')
  })

  test('the genesis state on a foreign node lets nobody but the depositor write the attributes', async () => {
    const data: Hex = `0x440a5e20${packedAttributes}`
    expect((await send({ account: developers[1]!.address, to: addressToHex(L1_BLOCK), data })).status).toBe('reverted')
  })

  test('the genesis state on a foreign node answers what viem asks the oracle for the L1 fee', async () => {
    const data: Hex = `0x${'a9059cbb'.repeat(40)}`
    const fee = await client.layer2.estimateL1Fee({
      account: developers[0]!.address,
      to: developers[1]!.address,
      data,
      gas: 50_000n,
      nonce: 1,
    })
    const price = 16n * 5_227n * 12_000_000_000n + 1_014_213n * 2_000_000n
    // The calldata repeats itself, so the smallest size of 100 bytes is billed.
    expect(fee).toBe((100_000_000n * price) / 10n ** 12n)
    expect(await read('GasPriceOracle', GAS_PRICE_ORACLE, 'getOperatorFee', [1_000_000n])).toBe(16n)
  })

  test.each(compressedLengths)(
    'the genesis state on a foreign node bills for %i bytes of period %i as FastLZ compresses them',
    async (length, period, compressed) => {
      const estimatedSize = 836_500n * BigInt(compressed + 68) - 42_585_600n
      const billed = await read('GasPriceOracle', GAS_PRICE_ORACLE, 'getL1GasUsed', [
        bytesToHex(periodic(length, period)),
      ])
      expect(billed).toBe((estimatedSize * 16n) / 1_000_000n)
    },
  )

  test('the genesis state on a foreign node answers a multicall of viem', async () => {
    const wrapped = { abi: artifactOf('WrappedEther').abi, address: addressToHex(WRAPPED_ETHER) }
    const answers = await client.layer2.multicall({
      multicallAddress: '0xca11bde05977b3631167028862be2a173976ca11',
      contracts: [
        { ...wrapped, functionName: 'symbol' },
        { ...wrapped, functionName: 'decimals' },
        { ...wrapped, address: developers[0]!.address, functionName: 'symbol' },
      ],
    })
    expect(answers.map((answer) => answer.result)).toEqual(['WETH', 18, undefined])
  })

  test('the genesis state on a foreign node passes messages to L1 and burns what was withdrawn', async () => {
    const [account, to] = [developers[2]!.address, addressToHex(L2_TO_L1_MESSAGE_PASSER)]
    const data = callOf('L2ToL1MessagePasser', 'initiateWithdrawal', [account, 100_000n, '0x1234'])
    const { status, logs } = await send({ account, to, data, value: 5n })
    expect([status, logs.length]).toEqual(['success', 1])
    const withdrawalHash = `0x${logs[0]!.data.slice(2 + 3 * 64, 2 + 4 * 64)}`
    expect(await read('L2ToL1MessagePasser', L2_TO_L1_MESSAGE_PASSER, 'sentMessages', [withdrawalHash])).toBe(true)
    expect(await read('L2ToL1MessagePasser', L2_TO_L1_MESSAGE_PASSER, 'messageNonce')).toBe((1n << 240n) | 1n)

    await send({ account, to, data: callOf('L2ToL1MessagePasser', 'burn') })
    expect(await client.getBalance({ address: to })).toBe(0n)
  })

  test('the genesis state on a foreign node pays collected fees out to the founder', async () => {
    const [account, to] = [developers[3]!.address, addressToHex(BASE_FEE_VAULT)]
    await send({ account, to, value: parseEther('2') })
    const before = await client.getBalance({ address: simulatedUsers[0]!.address })
    const { status } = await send({ account, to, data: callOf('FeeVault', 'withdraw') })
    expect(status).toBe('success')
    expect(await client.getBalance({ address: simulatedUsers[0]!.address })).toBeGreaterThanOrEqual(
      before + parseEther('2'),
    )
  })
})

function hex(value: number | bigint, bytes: number) {
  return value.toString(16).padStart(2 * bytes, '0')
}

/** Base fee scalar, blob base fee scalar, sequence number, time, number, base fee, blob base fee, hash, batcher. */
const packedAttributes =
  hex(5_227, 4) +
  hex(1_014_213, 4) +
  hex(3, 8) +
  hex(1_700_000_000, 8) +
  hex(19_000_000, 8) +
  hex(12_000_000_000, 32) +
  hex(2_000_000, 32) +
  hex(0xaa, 32) +
  hex(0xbb, 32)

function periodic(length: number, period: number) {
  return Uint8Array.from({ length }, (_, at) => (((at % period) ** 2 * 31 + (at % period) * 7) >>> 3) & 255)
}
