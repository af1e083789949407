import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ADDRESSES, blockOf, emptyRows, hexOf, transactionOf } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import type { Database } from '../engine/database.ts'
import { addressInternals, addressTransfers } from '../read/activity.ts'
import { blockAt } from '../read/blocks.ts'
import { chainNote, chainState } from '../read/chain-state.ts'
import { contractCreations } from '../read/contracts.ts'
import { addressLogs } from '../read/logs.ts'
import { nativeBalancesBefore, nativeBalancesOf, nativeHolders } from '../read/native-balances.ts'
import { tokenBalancesOf, tokenHolder, tokenHolders, tokenItemsOf } from '../read/token-balances.ts'
import { tokenList, tokensByAddress } from '../read/tokens.ts'
import { transactionInput, transactionsByHash } from '../read/transactions.ts'
import { positionOf } from '../schema/position.ts'
import type { BlockRows, MarketRow } from '../schema/rows.ts'
import { setChainNote } from './chain-notes.ts'
import { writeMarket } from './market.ts'
import { writeChain, writeTagHeights } from './write.ts'

const MOST = 2n ** 256n - 1n
const [ann, bob, token] = [ADDRESSES[0]!, ADDRESSES[1]!, ADDRESSES[2]!]
const HEIGHT = 2 ** 32
const block = blockOf(HEIGHT, {
  difficulty: MOST,
  baseFeePerGas: null,
  extraData: '0xff00',
  amount: MOST,
  internalCount: null,
  nonce: '0xffffffffffffffff',
})
const stamp = { height: block.height, hash: block.hash, timestampMs: block.timestampMs }
const one: BlockRows = {
  ...emptyRows(block),
  transactions: [
    transactionOf(HEIGHT, 0, {
      recipient: null,
      contractAddress: token,
      value: MOST,
      fee: MOST,
      l1Fee: 0n,
      nonce: Number.MAX_SAFE_INTEGER,
      type: 126,
      status: null,
      maxFeePerGas: null,
      maxPriorityFeePerGas: 0n,
      method: '0xff',
      error: 'reverted: “\0”',
      sourceHash: hexOf(32, 1),
      mint: 0n,
      input: `0x${'ff00'.repeat(50_000)}`,
    }),
    transactionOf(HEIGHT, 1),
  ],
  logs: [
    {
      pos: positionOf(HEIGHT, 2 ** 20 - 1),
      txPos: positionOf(HEIGHT, 0),
      address: token,
      topic0: hexOf(32, 0),
      topic1: hexOf(32, MOST),
      topic2: null,
      topic3: null,
      data: '0x',
    },
  ],
  transfers: [
    {
      pos: positionOf(HEIGHT, 0),
      txPos: positionOf(HEIGHT, 0),
      logIndex: 2 ** 20 - 1,
      kind: 1155,
      token,
      sender: ann,
      recipient: ann,
      amount: 0n,
      tokenId: MOST,
    },
  ],
  internals: [
    {
      pos: positionOf(HEIGHT, 0),
      txPos: positionOf(HEIGHT, 0),
      depth: 1_024,
      operation: 'selfdestruct',
      sender: bob,
      recipient: null,
      value: MOST,
      gas: 0,
      gasUsed: 2 ** 40,
      status: 0,
      error: '',
    },
  ],
  contracts: [
    { address: token, height: HEIGHT, txPos: positionOf(HEIGHT, 0), creator: ann },
    { address: bob, height: HEIGHT, txPos: null, creator: null },
  ],
  tokens: [{ address: token, kind: 1155, height: HEIGHT, issuedMs: 1, name: 'a\0b 🌅', symbol: '', decimals: null }],
  supplies: [{ token, height: HEIGHT, supply: MOST }],
  nativeBalances: [
    { address: ann, height: HEIGHT, balance: MOST },
    { address: bob, height: HEIGHT, balance: 0n },
  ],
  tokenDeltas: [
    { height: HEIGHT, token, address: ann, tokenId: MOST, delta: MOST },
    { height: HEIGHT, token, address: ann, tokenId: 0n, delta: MOST },
    { height: HEIGHT, token, address: bob, tokenId: 0n, delta: -MOST },
  ],
}
const pricedToken: MarketRow = {
  token,
  price: '0.000000000000000001',
  marketCap: 1.5e12,
  volume24h: 0.1,
  circulatingSupply: null,
  tvl: '',
  website: 'https://example.org',
  logoUrl: null,
}

describe.each(databases)('rows on $engine', ({ open }) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
    await writeChain(database, { blocks: [one] })
  })
  afterEach(() => database.close())
  const page = { limit: 10 }

  test('a block comes back as it was written', async () => {
    expect(await blockAt(database, HEIGHT)).toEqual(block)
  })

  test('a transaction comes back but for the NUL that texts cannot have', async () => {
    const { input, unknownFields: _, ...summary } = one.transactions[0]!
    const [found] = await transactionsByHash(database, [summary.hash])
    expect(found).toEqual({ ...summary, error: 'reverted: “”', block: stamp })
    expect(await transactionInput(database, summary.pos)).toBe(input)
  })

  test('a log, a transfer and an internal call come back with their transaction', async () => {
    const { hash, method, status, type, fee } = one.transactions[0]!
    const around = { block: stamp, transaction: { hash, method, status, type, fee } }
    expect(await addressLogs(database, { address: token }, page)).toEqual([{ ...one.logs[0], ...around }])
    expect(await addressTransfers(database, { address: ann, kind: 1155 }, page)).toEqual([
      { ...one.transfers[0], ...around },
    ])
    expect(await addressInternals(database, { address: bob }, page)).toEqual([{ ...one.internals[0], ...around }])
  })

  test('contracts come back with the transactions that created them', async () => {
    const { hash } = one.transactions[0]!
    const { timestampMs } = block
    expect(await contractCreations(database, [bob, token, ann])).toEqual(
      new Map([
        [bob, { ...one.contracts[1], transactionHash: null, timestampMs }],
        [token, { ...one.contracts[0], transactionHash: hash, timestampMs }],
      ]),
    )
  })

  test('a token comes back with its sums, its supply and its market', async () => {
    const check = { source: 'unconfirmed', height: -1, readSince: 0, supply: null }
    const total = one.tokenDeltas.reduce((sum, { delta }) => sum + delta, 0n)
    const found = { ...one.tokens[0], name: 'ab 🌅', supply: MOST, transfers: 1, holders: 1, total, check }
    expect(await tokensByAddress(database, [token])).toEqual(new Map([[token, { ...found, market: null }]]))
    await writeMarket(database, [pricedToken])
    expect(await tokenList(database, { kind: 1155 }, page)).toEqual([{ ...found, market: pricedToken }])
  })

  test('native balances come back, and zero is no holder', async () => {
    const [annsBalance, bobsBalance] = one.nativeBalances
    expect(await nativeBalancesOf(database, [ann, bob, token])).toEqual(
      new Map([
        [ann, annsBalance],
        [bob, bobsBalance],
      ]),
    )
    expect(await nativeHolders(database, page)).toEqual([{ address: ann, balance: MOST }])
  })

  test('token balances past 2^256 and below zero come back as they were', async () => {
    expect(await tokenHolders(database, token, page)).toEqual([
      { token, address: ann, balance: 2n * MOST, readHeight: null },
    ])
    expect(await tokenHolder(database, token, ann)).toEqual({ balance: 2n * MOST, rank: 1, readHeight: null })
    expect(await tokenHolder(database, token, bob)).toBeUndefined()
    expect(await tokenBalancesOf(database, { address: bob }, page)).toEqual([])
    expect(await tokenItemsOf(database, { address: ann, kind: 1155 }, page)).toEqual([
      { token, address: ann, tokenId: 0n, balance: MOST },
      { token, address: ann, tokenId: MOST, balance: MOST },
    ])
  })

  test('balances before a height come back as they were', async () => {
    await writeChain(database, {
      blocks: [
        { ...emptyRows(blockOf(HEIGHT + 1)), nativeBalances: [{ address: ann, height: HEIGHT + 1, balance: 5n }] },
      ],
    })
    expect((await nativeBalancesOf(database, [ann])).get(ann)!.balance).toBe(5n)
    expect(await nativeBalancesBefore(database, [ann, token], HEIGHT + 1)).toEqual(
      new Map([[ann, one.nativeBalances[0]]]),
    )
    expect(await nativeBalancesBefore(database, [ann], HEIGHT)).toEqual(new Map())
  })

  test('the state of the chain comes back, with a version that changes', async () => {
    const before = await chainState(database)
    expect(before).toMatchObject({ head: stamp, safe: null, finalized: null, version: '1' })
    await writeTagHeights(database, { safe: 7, finalized: null })
    expect(await chainState(database)).toMatchObject({ head: stamp, safe: 7, finalized: null, version: '2' })
    await setChainNote(database, 'genesis', '0x00')
    await setChainNote(database, 'genesis', '0x01')
    expect(await chainNote(database, 'genesis')).toBe('0x01')
  })
})
