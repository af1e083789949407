// Addresses, tokens and holders: every field, on both engines, against what the node's own JSON-RPC says. A devnet full of
// life, a whole Firstlight beside it, signed requests.
import { formatEther, formatUnits, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devnetGenesis } from '../../src/app/devnet-part.ts'
import type { Client } from '../../src/client/client.ts'
import { databases } from '../support/databases.ts'
import { createRecords, feeOf, names } from '../support/expected-records.ts'
import { createTokenRecord } from '../support/expected-tokens.ts'
import { type IndexedServer, startIndexedServer } from '../support/indexed-server.ts'
import { walk } from '../support/list-walk.ts'
import {
  type LivingChain,
  newestFirst,
  PREPARE_TIMEOUT_MS,
  someAddresses,
  startLivingChain,
} from '../support/living-chain.ts'
import type { Hex, NodeFacts } from '../support/node-facts.ts'

const chainShortName = 'dev'

let chain: LivingChain
let facts: NodeFacts
let records: ReturnType<typeof createRecords>

beforeAll(async () => {
  chain = await startLivingChain({ blocks: 60 })
  facts = chain.facts
  records = createRecords(facts)
}, PREPARE_TIMEOUT_MS)

afterAll(async () => {
  await chain?.stop()
})

// Every record is asked for: hundreds of requests a test.
describe.each(databases)('the explorer on $engine', { timeout: PREPARE_TIMEOUT_MS }, ({ place }) => {
  let server: IndexedServer
  let api: Client

  beforeAll(async () => {
    server = await startIndexedServer(chain.url, await place())
    api = server.client
  }, PREPARE_TIMEOUT_MS)

  afterAll(async () => {
    await server?.stop()
  })

  test('E3 lists what an address did, by kind, side, token and heights', async () => {
    for (const address of someAddresses(facts)) {
      const listOf = (params: object) =>
        walk(
          (paging) => api.addressTransactionList({ chainShortName, address, ...params, ...paging }),
          'transactionLists',
          50,
        )
      const transactions = newestFirst(facts.transactions)
      const isFrom = ({ raw }: { raw: { from: string } }) => raw.from === address
      const isTo = ({ raw }: { raw: { to: string | null } }) => raw.to === address
      const touching = transactions.filter(
        (each) => isFrom(each) || isTo(each) || each.receipt.contractAddress === address,
      )
      const listed = (await listOf({})) as { from: string; to: string }[]
      expect(listed).toEqual(touching.map(records.ofAddress))
      expect(await listOf({ isFromOrTo: 'from' })).toEqual(transactions.filter(isFrom).map(records.ofAddress))
      const within = touching.filter(({ block }) => block.height >= 10 && block.height <= 30)
      const range = { startBlockHeight: '10', endBlockHeight: '30' }
      expect(await listOf(range)).toEqual(within.map(records.ofAddress))

      const internals = newestFirst(facts.internals).filter(
        ({ frame }) => frame.from === address || frame.to === address,
      )
      expect(await listOf({ protocolType: 'internal' })).toEqual(internals.map(records.internalOfAddress))
      for (const kind of [20, 721, 1155] as const) {
        const transfers = newestFirst(facts.transfers).filter(
          (each) => each.kind === kind && (each.from === address || each.to === address),
        )
        const protocolType = `token_${kind}`
        expect(await listOf({ protocolType })).toEqual(transfers.map(records.transferOfAddress))
        expect(await listOf({ protocolType, isFromOrTo: 'to' })).toEqual(
          transfers.filter(({ to }) => to === address).map(records.transferOfAddress),
        )
        const [token] = facts.tokens.keys()
        expect(await listOf({ protocolType, tokenContractAddress: token })).toEqual(
          transfers.filter((each) => each.token === token).map(records.transferOfAddress),
        )
      }
      expect(await listOf({ protocolType: 'trx' })).toEqual([])
    }
  })

  test('E4 and its sisters list normal, internal and token transactions of an address', async () => {
    for (const address of someAddresses(facts)) {
      const transactions = newestFirst(facts.transactions).filter(
        ({ raw, receipt }) => raw.from === address || raw.to === address || receipt.contractAddress === address,
      )
      const ask = (paging: object) => api.normalTransactionList({ chainShortName, address, ...paging })
      expect(await walk(ask, 'transactionList', 20)).toEqual(transactions.map(records.normal))

      const internals = newestFirst(facts.internals).filter(({ frame }) => [frame.from, frame.to].includes(address))
      const askInternals = (paging: object) => api.internalTransactionList({ chainShortName, address, ...paging })
      expect(await walk(askInternals, 'transactionList', 50)).toEqual(internals.map(records.internalInList))

      const transfers = newestFirst(facts.transfers).filter(
        ({ kind, from, to }) => kind === 20 && [from, to].includes(address),
      )
      const askTransfers = (paging: object) => api.tokenTransactionList({ chainShortName, address, ...paging })
      expect(await walk(askTransfers, 'transactionList', 20)).toEqual(transfers.map(records.tokenTransaction))
    }
  })

  test('E2 lists the transfers of a token, by amount too, and refuses what is no token', async () => {
    for (const [tokenContractAddress, { decimals }] of facts.tokens) {
      const transfers = newestFirst(facts.transfers).filter(({ token }) => token === tokenContractAddress)
      const ask = (paging: object) => api.tokenTransferList({ chainShortName, tokenContractAddress, ...paging })
      expect(await walk(ask, 'transactionList', 20)).toEqual(transfers.map(records.transferOfToken))
      expect((await ask({})).data).toMatchObject([{ ...names, totalTransfer: String(transfers.length) }])

      const amounts = transfers.map(({ amount }) => amount).sort((a, b) => (a < b ? -1 : 1))
      const [low, high] = [amounts[Math.floor(amounts.length / 4)]!, amounts[Math.floor(amounts.length / 2)]!]
      const bounds = { minAmount: formatUnits(low, decimals), maxAmount: formatUnits(high, decimals) }
      expect(await walk((paging) => ask({ ...bounds, ...paging }), 'transactionList', 20)).toEqual(
        transfers.filter(({ amount }) => amount >= low && amount <= high).map(records.transferOfToken),
      )
    }
    const tokenContractAddress = `0x${'77'.repeat(20)}`
    await expect(api.tokenTransferList({ chainShortName, tokenContractAddress })).rejects.toMatchObject({
      code: '50037',
    })
  })

  test('E1 lists every token of a kind with its supply and holders', async () => {
    const tokenRecord = createTokenRecord(facts)
    for (const kind of [20, 721, 1155] as const) {
      const protocolType = `token_${kind}` as const
      const listed = await walk((paging) => api.tokenList({ chainShortName, protocolType, ...paging }), 'tokenList', 2)
      const expected = [...facts.tokens.values()].filter((token) => token.kind === kind).map(tokenRecord)
      expect(byAddress(listed)).toEqual(byAddress(expected))
      for (const record of expected) {
        const { tokenContractAddress } = record
        const { data } = await api.tokenList({ chainShortName, protocolType, tokenContractAddress })
        expect(data[0].tokenList).toEqual([record])
      }
    }
  })

  const byAddress = (rows: readonly unknown[]) =>
    (rows as { tokenContractAddress: string }[]).toSorted((a, b) =>
      a.tokenContractAddress < b.tokenContractAddress ? -1 : 1,
    )

  test('E1 takes tokens issued strictly between two times', async () => {
    const { data } = await api.tokenList({ chainShortName, limit: '50' })
    const all = data[0].tokenList
    for (const issued of new Set(all.map(({ issueDate }) => Number(issueDate)))) {
      const between = async (startTime: number, endTime: number) => {
        const range = { startTime: String(startTime), endTime: String(endTime), limit: '50' }
        return (await api.tokenList({ chainShortName, ...range })).data[0].tokenList
      }
      const issuedThen = all.filter(({ issueDate }) => Number(issueDate) === issued)
      expect(await between(issued - 1, issued + 1)).toEqual(issuedThen)
      const { tokenContractAddress } = issuedThen[0]!
      for (const [start, end] of [
        [issued, issued + 1],
        [issued - 1, issued],
      ] as const) {
        const listed = (await between(start, end)).map((token) => token.tokenContractAddress)
        expect(listed).not.toContain(tokenContractAddress)
      }
    }
  })

  test('E12 ranks every address that holds anything', async () => {
    const ranked = [...facts.balances].filter(([, balance]) => balance > 0n).sort((a, b) => (a[1] < b[1] ? 1 : -1))
    const listed = (await walk(
      (paging) => api.nativeTokenPositionList({ chainShortName, ...paging }),
      'positionList',
      20,
    )) as { rank: string; address: Hex; holderAddress: Hex; amount: string; symbol: string }[]
    expect(listed.map(({ amount }) => amount)).toEqual(ranked.map(([, balance]) => formatEther(balance)))
    expect(listed).toEqual(
      listed.map(({ address }, i) => ({
        rank: String(i + 1),
        symbol: 'ETH',
        address,
        holderAddress: address,
        amount: formatEther(facts.balances.get(address)!),
      })),
    )
    expect(new Set(listed.map(({ address }) => address))).toEqual(new Set(ranked.map(([address]) => address)))
  })

  test('token holders are those that the contract knows', async () => {
    for (const { address, holders, decimals } of facts.tokens.values()) {
      const ask = (paging: object) =>
        api.tokenPositionList({ chainShortName, tokenContractAddress: address, ...paging })
      const listed = (await walk(ask, 'positionList', 5)) as {
        holderAddress: Hex
        amount: string
        rank: string
        positionChange24h: string
      }[]
      expect(new Map(listed.map(({ holderAddress, amount }) => [holderAddress, amount]))).toEqual(
        new Map([...holders].map(([holder, balance]) => [holder, formatUnits(balance, decimals)])),
      )
      const amounts = listed.map(({ holderAddress }) => holders.get(holderAddress)!)
      expect(amounts).toEqual([...amounts].sort((a, b) => (a < b ? 1 : -1)))
      expect(listed.map(({ rank }) => rank)).toEqual(listed.map((_, i) => String(i + 1)))
      // The chain is younger than a day.
      expect(listed.map(({ positionChange24h }) => positionChange24h)).toEqual(listed.map(({ amount }) => amount))
      const { holderAddress } = listed.at(-1)!
      expect((await ask({ holderAddress })).data[0].positionList).toEqual([listed.at(-1)])
    }
  })

  test('an address is shown with its balance, its activity and its creator', async () => {
    for (const address of someAddresses(facts)) {
      const touching = facts.transactions.filter(
        ({ raw, receipt }) => raw.from === address || raw.to === address || receipt.contractAddress === address,
      )
      const creation = facts.transactions.find(({ receipt }) => receipt.contractAddress === address)
      const timeOf = (at: number) =>
        touching.length > 0 ? String(Number(touching.at(at)!.block.raw.timestamp) * 1000) : ''
      const { data } = await api.addressInformation({ chainShortName, address })
      expect(data).toMatchObject([
        {
          address,
          balance: formatEther(facts.balances.get(address) ?? 0n),
          balanceSymbol: 'ETH',
          transactionCount: String(touching.length),
          firstTransactionTime: timeOf(0),
          lastTransactionTime: timeOf(-1),
          contractAddress: facts.contracts.has(address),
          contractCorrespondingToken: facts.tokens.get(address)?.symbol ?? '',
          contractCalls: facts.contracts.has(address) ? String(callersOf(address).length) : '',
          contractCallingAddresses: facts.contracts.has(address) ? String(new Set(callersOf(address)).size) : '',
          ...(creation && {
            createContractAddress: creation.raw.from,
            createContractTransactionHash: creation.raw.hash,
          }),
        },
      ])
    }
  })

  /** One for each call, by transaction or from inside one; a creation is one too. */
  const callersOf = (address: Hex): Hex[] => [
    ...facts.transactions
      .filter(({ raw, receipt }) => raw.to === address || receipt.contractAddress === address)
      .map(({ raw }) => raw.from),
    ...facts.internals.filter(({ frame }) => frame.to === address).map(({ frame }) => frame.from),
  ]

  test('token balances of an address are those that the contracts know', async () => {
    for (const address of someAddresses(facts)) {
      const ask = (paging: object) => api.addressTokenBalance({ chainShortName, address, ...paging })
      const listed = (await walk(ask, 'tokenList', 2)) as { tokenContractAddress: Hex; holdingAmount: string }[]
      const expected = [...facts.tokens.values()].filter(({ kind, holders }) => kind === 20 && holders.has(address))
      expect(new Map(listed.map((each) => [each.tokenContractAddress, each.holdingAmount]))).toEqual(
        new Map(expected.map((token) => [token.address, formatUnits(token.holders.get(address)!, token.decimals)])),
      )
      for (const kind of [721, 1155] as const) {
        const askItems = (paging: object) => ask({ protocolType: `token_${kind}`, ...paging })
        const items = (await walk(askItems, 'tokenList', 3)) as {
          tokenContractAddress: Hex
          holdingAmount: string
          tokenId: string
        }[]
        const held = new Map<Hex, bigint>()
        for (const { tokenContractAddress: token, holdingAmount } of items) {
          held.set(token, (held.get(token) ?? 0n) + BigInt(holdingAmount))
        }
        const known = [...facts.tokens.values()].filter((token) => token.kind === kind && token.holders.has(address))
        expect(held).toEqual(new Map(known.map((token) => [token.address, token.holders.get(address)!])))
        expect(new Set(items.map(({ tokenContractAddress: token, tokenId }) => token + tokenId)).size).toBe(
          items.length,
        )
      }
    }
  })

  test('fees and balances add up', async () => {
    const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)
    const { data: blocks } = await api.blockList({ chainShortName, limit: '100' })
    const fees = blocks[0].blockList.map(({ totalFee }) => parseEther(totalFee))
    expect(total(fees)).toBe(total(facts.transactions.map(feeOf)))
    const { data: holders } = await api.nativeTokenPositionList({ chainShortName, limit: '100' })
    expect(holders[0].totalPage).toBe('1')
    const supply = [
      ...devnetGenesis().map(({ balance }) => balance),
      ...facts.transactions.map(({ raw }) => BigInt(raw.mint ?? 0)),
    ]
    expect(total(holders[0].positionList.map(({ amount }) => parseEther(amount)))).toBe(total(supply))
  })
})
