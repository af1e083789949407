// The Etherscan-style facade, asked by a real client of it, against what the node's own JSON-RPC says.
import { EtherscanProvider, id } from 'ethers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { type IndexedServer, startIndexedServer } from '../support/indexed-server.ts'
import { type LivingChain, NOBODY, PREPARE_TIMEOUT_MS, startLivingChain } from '../support/living-chain.ts'
import type { Hex, NodeFacts, TransactionFact } from '../support/node-facts.ts'

let chain: LivingChain
let facts: NodeFacts

beforeAll(async () => {
  chain = await startLivingChain({ blocks: 40 })
  facts = chain.facts
}, PREPARE_TIMEOUT_MS)

afterAll(async () => {
  await chain?.stop()
})

/** The client of ethers, pointed at us: its own address is not for hire. */
class OurProvider extends EtherscanProvider {
  readonly #base: string

  constructor(base: string, key: string) {
    super('mainnet', key)
    this.#base = base
  }

  override getUrl(module: string, params: Record<string, string>): string {
    return `${this.#base}/api?${new URLSearchParams({ ...params, module, apikey: this.apiKey! })}`
  }
}

describe.each(databases)('the facade on $engine', ({ place }) => {
  let server: IndexedServer
  let etherscan: OurProvider

  beforeAll(async () => {
    server = await startIndexedServer(chain.url, await place())
    etherscan = new OurProvider(server.url, server.credentials.key)
  }, PREPARE_TIMEOUT_MS)

  afterAll(async () => {
    await server?.stop()
  })

  const raw = async (query: Record<string, string>, init?: RequestInit) => {
    const params = new URLSearchParams({ apikey: server.credentials.key, ...query })
    const response = await fetch(`${server.url}/api?${params}`, init)
    return { httpStatus: response.status, ...((await response.json()) as object) }
  }

  const decimal = (quantity: string): string => BigInt(quantity).toString()
  const timeOf = ({ block }: TransactionFact): string => decimal(block.raw.timestamp)
  const busiest = (): Hex => {
    const counts = new Map<Hex, number>()
    for (const {
      raw: { from },
    } of facts.transactions)
      counts.set(from, (counts.get(from) ?? 0) + 1)
    return [...counts].sort((a, b) => b[1] - a[1])[0]![0]
  }

  test('the facade gives balances in wei', async () => {
    const addresses = [...facts.balances.keys()].slice(0, 20)
    const listed = await etherscan.fetch('account', { action: 'balancemulti', address: addresses.join(',') })
    expect(listed).toEqual(addresses.map((account) => ({ account, balance: facts.balances.get(account)!.toString() })))
    expect(await etherscan.fetch('account', { action: 'balance', address: NOBODY, tag: 'latest' })).toBe('0')
  })

  test('the facade lists transactions both ways, in pages, and in a range of blocks', async () => {
    const address = busiest()
    const touching = facts.transactions.filter(({ raw: { from, to } }) => from === address || to === address)
    const expected = touching.map((each) => ({
      blockNumber: String(each.block.height),
      timeStamp: timeOf(each),
      hash: each.raw.hash,
      nonce: decimal(each.raw.nonce),
      blockHash: each.block.raw.hash,
      transactionIndex: String(each.index),
      from: each.raw.from,
      to: each.raw.to ?? '',
      value: decimal(each.raw.value),
      gas: decimal(each.raw.gas),
      gasPrice: decimal(each.receipt.effectiveGasPrice),
      gasUsed: decimal(each.receipt.gasUsed),
      cumulativeGasUsed: decimal(each.receipt.cumulativeGasUsed),
      isError: each.receipt.status === '0x1' ? '0' : '1',
      txreceipt_status: decimal(each.receipt.status),
      input: each.raw.input,
      contractAddress: each.receipt.status === '0x1' ? (each.receipt.contractAddress ?? '') : '',
      confirmations: String(facts.blocks.length - 1 - each.block.height),
      methodId: each.raw.input.slice(0, 10),
      functionName: '',
    }))
    const list = (params: Record<string, string>) =>
      etherscan.fetch('account', { action: 'txlist', address, ...params })
    expect(await list({})).toEqual(expected)
    expect(await list({ sort: 'desc' })).toEqual([...expected].reverse())
    expect(await list({ page: '2', offset: '3' })).toEqual(expected.slice(3, 6))
    expect(await list({ startblock: '10', endblock: '20' })).toEqual(
      expected.filter(({ blockNumber }) => Number(blockNumber) >= 10 && Number(blockNumber) <= 20),
    )
    expect(await list({ address: NOBODY })).toEqual([])
  })

  test('the facade lists token transfers and internal transactions', async () => {
    for (const [kind, action] of [
      [20, 'tokentx'],
      [721, 'tokennfttx'],
      [1155, 'token1155tx'],
    ] as const) {
      const transfers = facts.transfers.filter((each) => each.kind === kind)
      const { token, to } = transfers.at(-1)!
      const shownBy = (each: (typeof transfers)[number]) => ({
        hash: each.transaction.raw.hash,
        from: each.from,
        to: each.to,
        contractAddress: each.token,
        tokenSymbol: facts.tokens.get(each.token)!.symbol,
        nonce: decimal(each.transaction.raw.nonce),
        cumulativeGasUsed: decimal(each.transaction.receipt.cumulativeGasUsed),
        ...(kind === 20 ? { value: each.amount.toString() } : { tokenID: String(each.tokenId) }),
        ...(kind === 1155 && { tokenValue: each.amount.toString() }),
      })
      const ofToken = transfers.filter((each) => each.token === token)
      expect(await etherscan.fetch('account', { action, contractaddress: token })).toMatchObject(ofToken.map(shownBy))
      const ofAddress = transfers.filter((each) => each.to === to || each.from === to)
      expect(await etherscan.fetch('account', { action, address: to })).toMatchObject(ofAddress.map(shownBy))
    }
    const { transaction } = facts.internals.at(-1)!
    const internals = facts.internals.filter((each) => each.transaction === transaction)
    const listed = await etherscan.fetch('account', { action: 'txlistinternal', txhash: transaction.raw.hash })
    expect(listed).toMatchObject(
      internals.map(({ frame, failed }) => ({
        hash: transaction.raw.hash,
        from: frame.from,
        type: frame.type.toLowerCase(),
        isError: failed ? '1' : '0',
      })),
    )
    const range = { startblock: '5', endblock: '30', sort: 'desc' }
    const within = facts.internals.filter(({ transaction: { block } }) => block.height >= 5 && block.height <= 30)
    expect(await etherscan.fetch('account', { action: 'txlistinternal', ...range })).toMatchObject(
      within.toReversed().map((each) => ({ hash: each.transaction.raw.hash, from: each.frame.from })),
    )
  })

  test('the facade takes topics of which one is enough', async () => {
    const sharing = (log: { address: string; topics: string[] }, is: (first: boolean, second: boolean) => boolean) =>
      facts.logs.filter(
        ({ raw: { address, topics } }) =>
          address === log.address &&
          topics[0] === log.topics[0] &&
          is(topics[1] === log.topics[1], topics[2] === log.topics[2]),
      )
    const either = (first: boolean, second: boolean) => first || second
    const each = (first: boolean, second: boolean) => first && second
    const chosen = facts.logs.find(
      ({ raw: log }) => log.topics.length > 2 && sharing(log, either).length > sharing(log, each).length,
    )!.raw
    const [expected, both] = [sharing(chosen, either), sharing(chosen, each)]
    const [topic0, topic1, topic2] = chosen.topics
    const query = { action: 'getLogs', address: chosen.address, topic0, topic1, topic2, topic1_2_opr: 'or' }
    const hashes = (found: readonly { raw: { logIndex: string } }[]) => found.map(({ raw: log }) => log.logIndex)
    const listed = async (asked: Record<string, string>) =>
      ((await etherscan.fetch('logs', asked)) as { logIndex: string }[]).map(({ logIndex }) => logIndex)
    expect(await listed(query)).toEqual(hashes(expected))
    expect(await listed({ ...query, topic1_2_opr: 'and' })).toEqual(hashes(both))
  })

  test('the facade gives logs in hex, by topic too', async () => {
    const { address, topics } = facts.logs.at(-1)!.raw
    const expected = facts.logs.filter(({ raw: log }) => log.address === address && log.topics[0] === topics[0])
    const query = { action: 'getLogs', address, topic0: topics[0], fromBlock: '0', toBlock: 'latest' }
    expect(await etherscan.fetch('logs', query)).toEqual(
      expected.map(({ raw: log, transaction }) => ({
        address,
        topics: log.topics,
        data: log.data,
        blockNumber: log.blockNumber,
        blockHash: log.blockHash,
        timeStamp: transaction.block.raw.timestamp,
        gasPrice: transaction.receipt.effectiveGasPrice,
        gasUsed: transaction.receipt.gasUsed,
        logIndex: log.logIndex,
        transactionHash: log.transactionHash,
        transactionIndex: log.transactionIndex,
      })),
    )
  })

  const places = (logs: readonly { blockNumber: string; logIndex: string; address: string }[]) =>
    logs.map(({ blockNumber, logIndex, address }) => [blockNumber, logIndex, address])

  test('the facade gives logs of any contract by topic in a range of blocks, and none without either', async () => {
    const topic0 = id('Transfer(address,address,uint256)')
    const [from, to] = [5, facts.blocks.length - 3]
    const expected = facts.logs.filter(
      ({ raw: log, transaction: { block } }) => log.topics[0] === topic0 && block.height >= from && block.height <= to,
    )
    expect(new Set(expected.map(({ raw: log }) => log.address)).size).toBeGreaterThan(1)
    const query = { action: 'getLogs', topic0, fromBlock: String(from), toBlock: String(to) }
    expect(places((await etherscan.fetch('logs', query)) as never)).toEqual(places(expected.map(({ raw: log }) => log)))
    expect(await raw({ module: 'logs', action: 'getLogs', fromBlock: '0', toBlock: 'latest' })).toMatchObject({
      status: '0',
      result: 'Error! Invalid address format',
    })
  })

  test('the facade takes `latest` for the newest block, at either end', async () => {
    const { address } = facts.logs.at(-1)!.raw
    const newest = facts.blocks.at(-1)
    const expected = facts.logs.filter(
      ({ raw: log, transaction: { block } }) => log.address === address && block === newest,
    )
    const query = { action: 'getLogs', address, fromBlock: 'latest', toBlock: 'latest' }
    expect(places((await etherscan.fetch('logs', query)) as never)).toEqual(places(expected.map(({ raw: log }) => log)))
  })

  test('the facade knows blocks, receipts, tokens and creators', async () => {
    const block = facts.blocks[20]!
    const timestamp = decimal(block.raw.timestamp)
    const height = Number(await etherscan.fetch('block', { action: 'getblocknobytime', timestamp, closest: 'before' }))
    expect(facts.blocks[height]!.raw.timestamp).toBe(block.raw.timestamp)
    const failed = facts.transactions.find(({ receipt }) => receipt.status === '0x0')!
    const txhash = failed.raw.hash
    expect(await etherscan.fetch('transaction', { action: 'gettxreceiptstatus', txhash })).toEqual({ status: '0' })
    expect(await etherscan.fetch('transaction', { action: 'getstatus', txhash })).toMatchObject({ isError: '1' })
    for (const { address, supply, holders, kind } of facts.tokens.values()) {
      const contractaddress = address
      if (kind === 20)
        expect(await etherscan.fetch('stats', { action: 'tokensupply', contractaddress })).toBe(supply!.toString())
      const count = await etherscan.fetch('token', { action: 'tokenholdercount', contractaddress })
      expect(count).toBe(String(holders.size))
    }
    const creation = facts.transactions.find(({ receipt }) => receipt.contractAddress)!
    const contractaddresses = creation.receipt.contractAddress
    expect(await etherscan.fetch('contract', { action: 'getcontractcreation', contractaddresses })).toMatchObject([
      { contractAddress: contractaddresses, contractCreator: creation.raw.from, txHash: creation.raw.hash },
    ])
  })

  test('the facade says no in the words that clients look for', async () => {
    const list = { module: 'account', action: 'txlist', address: NOBODY }
    const notok = (result: string) => ({ httpStatus: 200, status: '0', message: 'NOTOK', result })
    expect(await raw(list)).toEqual({ httpStatus: 200, status: '0', message: 'No transactions found', result: [] })
    expect(await raw({ ...list, page: '11', offset: '1000' })).toMatchObject({
      status: '0',
      message: 'Result window is too large, PageNo x Offset size must be less than or equal to 10000',
      result: null,
    })
    expect(await raw({ ...list, address: '0x12' })).toEqual(notok('Error! Invalid address format'))
    expect(await raw({ ...list, module: 'nonsense' })).toEqual(notok('Error! Missing Or invalid Module name'))
    expect(await raw({ ...list, module: 'constructor' })).toEqual(notok('Error! Missing Or invalid Module name'))
    expect(await raw({ ...list, action: 'nonsense' })).toEqual(notok('Error! Missing Or invalid Action name'))
    expect(await raw({ ...list, apikey: '' })).toEqual(notok('Missing/Invalid API Key'))
    expect(await raw({ ...list, apikey: 'nonsense' })).toEqual(notok('Invalid API Key'))
    expect(await raw({ module: 'contract', action: 'getabi', address: NOBODY })).toEqual(
      notok('Contract source code not verified'),
    )
  })

  test('the facade takes a form as well as a query', async () => {
    const body = new URLSearchParams({ module: 'account', action: 'balance', address: NOBODY })
    expect(await raw({}, { method: 'POST', body })).toEqual({
      httpStatus: 200,
      status: '1',
      message: 'OK',
      result: '0',
    })
  })
})
