// Tokens whose events do not show their balances: every balance and supply that is served is the contract's own, or is marked.
import { createPublicClient, createWalletClient, erc20Abi, formatUnits, type Hex, http, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import type { Handlers } from '../../src/contract/endpoints.ts'
import { createExplorer } from '../../src/explorer/explorer.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { createChainReaders } from '../../src/store/read/chain-reader.ts'
import { CHECK_STATES } from '../../src/store/schema/token-checks.ts'
import { databases } from '../support/databases.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { foreignTokens } from '../support/foreign-tokens.ts'
import { type Indexer, startIndexer } from '../support/indexer.ts'
import { until } from '../support/until.ts'

const SLOW = 120_000
const READING = CHECK_STATES.indexOf('reading')
const request = { client: undefined, signal: undefined } as never
const [ann, bob] = [privateKeyToAccount(developers[3]!.key), privateKeyToAccount(developers[4]!.key)]
const [cat, dan] = ['0xca7000000000000000000000000000000000ca70', '0xda0000000000000000000000000000000000da00'] as const

type Name =
  | 'Wrapped'
  | 'Plain'
  | 'Vault4626'
  | 'SharesVault'
  | 'Rebasing'
  | 'Fee'
  | 'Silent'
  | 'Hybrid'
  | 'Collectible'
  | 'Items'

describe.each(databases)('tokens of others on $engine', ({ open }) => {
  let devnet: Devnet
  let database: Database
  let indexer: Indexer
  let explorer: Handlers
  let send: (name: Name, method: string, args: readonly unknown[], from?: typeof ann, value?: bigint) => Promise<void>
  const addresses = new Map<Name, Hex>()
  const addressOf = (name: Name) => addresses.get(name)!

  const chainShortName = 'x'
  const page = { page: 1, limit: 50 }
  const tokenOf = async (name: Name) =>
    (await explorer.tokenList({ chainShortName, tokenContractAddress: addressOf(name), ...page } as never, request))
      .data[0].tokenList[0]!
  const holdersOf = async (name: Name) =>
    (
      await explorer.tokenPositionList(
        { chainShortName, tokenContractAddress: addressOf(name), ...page } as never,
        request,
      )
    ).data[0].positionList

  /** Until the index has the head and everything has been compared or read since. */
  const settled = () =>
    until(
      async () => {
        const behind = Number(await rpc(devnet.url, 'eth_blockNumber')) - (indexer.progress().indexed ?? -1)
        const open = await database.all(
          `select * from token_checks where height < active_height or source = ${READING}`,
        )
        return { behind, open: open.length }
      },
      ({ behind, open }) => behind === 0 && open === 0,
    )

  beforeAll(async () => {
    const compiled = await foreignTokens()
    devnet = await startStillDevnet()
    database = await open()
    const transport = http(devnet.url)
    const client = createPublicClient({ transport })
    const sealed = async (hash: Hex) => {
      await rpc(devnet.url, 'devnet_seal')
      const receipt = await client.getTransactionReceipt({ hash })
      expect(receipt.status).toBe('success')
      return receipt
    }
    const walletOf = (account: typeof ann) => createWalletClient({ account, transport })
    const deploy = async (name: Name, args: readonly unknown[] = []) => {
      const { abi, code } = compiled.get(name)!
      const hash = await walletOf(ann).deployContract({
        chain: null,
        abi,
        bytecode: code,
        args,
        gas: 8_000_000n,
      } as never)
      addresses.set(name, (await sealed(hash)).contractAddress!.toLowerCase() as Hex)
    }
    send = async (name, functionName, args, from = ann, value = 0n) => {
      const { abi } = compiled.get(name)!
      const request = { chain: null, address: addressOf(name), abi, functionName, args, value, gas: 1_000_000n }
      await sealed(await walletOf(from).writeContract(request as never))
    }
    await deploy('Wrapped')
    await deploy('Plain')
    await deploy('Vault4626', [addressOf('Plain')])
    await deploy('SharesVault')
    await deploy('Rebasing')
    await deploy('Fee', [cat])
    await deploy('Silent')
    await deploy('Hybrid')
    await deploy('Collectible')
    await deploy('Items')

    await send('Wrapped', 'deposit', [], ann, 1000n)
    await send('Wrapped', 'deposit', [], bob, 50n)
    await send('Wrapped', 'withdraw', [300n])
    await send('Wrapped', 'transfer', [dan, 200n])
    await send('Plain', 'mint', [ann.address, 1000n])
    await send('Plain', 'mint', [zeroAddress, 7n])
    await send('Plain', 'approve', [addressOf('Vault4626'), 1000n])
    await send('Vault4626', 'deposit', [100n, bob.address])
    await send('Plain', 'transfer', [addressOf('Vault4626'), 77n])
    await send('Vault4626', 'deposit', [100n, ann.address])
    await send('SharesVault', 'deposit', [100n])
    await send('Rebasing', 'mint', [ann.address, 1000n])
    await send('Rebasing', 'mint', [bob.address, 500n])
    await send('Rebasing', 'rebase', [110n])
    await send('Rebasing', 'transfer', [dan, 330n], bob)
    await send('Fee', 'mint', [ann.address, 1000n])
    await send('Fee', 'transfer', [bob.address, 500n])
    await send('Silent', 'transfer', [bob.address, 100n])
    await send('Silent', 'grant', [dan, 40n])
    await send('Hybrid', 'transfer', [bob.address, 2n * 10n ** 18n])
    await send('Collectible', 'mint', [ann.address, 7n])
    await send('Items', 'mint', [ann.address, 3n, 5n])

    indexer = startIndexer({ url: devnet.url, database }, { tokenReadsPerS: 5_000 })
    const names = { shortName: 'x', fullName: 'X', symbol: 'ETH' }
    explorer = createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0 })
    await settled()
  }, SLOW)
  afterAll(async () => {
    await indexer.stop()
    await devnet.stop()
    await database.close()
  })

  const call = (
    name: Name,
    functionName: 'balanceOf' | 'totalSupply',
    args: readonly unknown[] = [],
  ): Promise<bigint> =>
    createPublicClient({ transport: http(devnet.url) }).readContract({
      address: addressOf(name),
      abi: erc20Abi,
      functionName,
      args,
    } as never) as Promise<bigint>

  const fungible = ['Wrapped', 'Plain', 'Vault4626', 'SharesVault', 'Rebasing', 'Fee', 'Silent', 'Hybrid'] as const

  const expectRight = async (name: Name) => {
    const token = await tokenOf(name)
    const decimals = Number(token.precision)
    expect([name, token.totalSupply]).toEqual([name, formatUnits(await call(name, 'totalSupply'), decimals)])
    const holders = await holdersOf(name)
    expect(token.addressCount).toBe(String(holders.length))
    const served = new Map(holders.map((holder) => [holder.holderAddress, holder]))
    for (const address of [ann.address, bob.address, cat, dan, addressOf('Vault4626')]) {
      const lower = address.toLowerCase()
      if (address === cat && token.balanceSource === 'contract-partial') continue
      const expected = formatUnits(await call(name, 'balanceOf', [address]), decimals)
      expect([name, lower, served.get(lower)?.amount ?? '0']).toEqual([name, lower, expected])
      const list = await explorer.addressTokenBalance(
        { chainShortName, address: lower, protocolType: 'token_20', ...page } as never,
        request,
      )
      const held = list.data[0].tokenList.find(({ tokenContractAddress }) => tokenContractAddress === addressOf(name))
      expect([name, lower, held?.holdingAmount ?? '0']).toEqual([name, lower, expected])
      if (held) expect(held.balanceSource).toBe(served.get(lower)?.balanceSource)
    }
    return token
  }

  test.each(fungible)('the token %s is served as its contract answers', async (name) => {
    await expectRight(name)
  })

  test('tokens of others sums of events serve where they hold, and the contract where they do not, and the answer says which', async () => {
    const sources = await Promise.all(fungible.map(async (name) => [name, (await tokenOf(name)).balanceSource]))
    expect(Object.fromEntries(sources)).toEqual({
      Wrapped: 'events',
      Plain: 'events',
      Vault4626: 'events',
      SharesVault: 'events',
      Rebasing: 'contract',
      // No event and no call names who gets the fee; the answer says that somebody is missing.
      Fee: 'contract-partial',
      Silent: 'contract',
      Hybrid: 'contract',
    })
    expect((await tokenOf('Collectible')).balanceSource).toBe('events')
    expect((await tokenOf('Items')).balanceSource).toBe('events')
  })

  test('a change without an event is served after the next look at the contract', { timeout: SLOW }, async () => {
    await send('Rebasing', 'rebase', [200n])
    await send('Silent', 'grant', [cat, 5n])
    await send('Plain', 'rename', ['Renamed'])
    await settled()
    await expectRight('Rebasing')
    await expectRight('Silent')
    expect(await tokenOf('Plain')).toMatchObject({ tokenFullName: 'Renamed', token: 'Renamed' })
  })
})
