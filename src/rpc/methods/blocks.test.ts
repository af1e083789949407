import { expect, test } from 'vitest'
import { JsonText } from '../../lib/json/json-rpc.ts'
import { createTestState } from '../state/rpc-state-for-tests.ts'
import { blockMethods } from './blocks.ts'

const PENDING = { type: 'tag', tag: 'pending' } as const
const SAFE = { type: 'tag', tag: 'safe' } as const
const HASH = `0x${'cd'.repeat(32)}` as const

function number(height: number) {
  return { type: 'number', number: height } as const
}

function parsed(result: unknown): Record<string, unknown> {
  expect(result).toBeInstanceOf(JsonText)
  return JSON.parse((result as JsonText).text)
}

test('the block number is that of the canonical head, and of the tip with pending', async () => {
  const { scope, asked } = createTestState()
  expect(await blockMethods.eth_blockNumber(scope(), [undefined], [])).toBe('0x7')
  expect(await blockMethods.eth_blockNumber(scope(), [PENDING], [])).toBe('0x8')
  expect(asked).toEqual([])
})

test('without flashblocks the block number is the node’s', async () => {
  const { scope, asked } = createTestState({ flashblocks: 0, node: { eth_blockNumber: '0x9' } })
  expect(await blockMethods.eth_blockNumber(scope(), [PENDING], [])).toBe('0x9')
  expect(asked).toEqual([['eth_blockNumber', []]])
})

test('the number of the safe block is read from the block, and a node without one is an error and not a zero', async () => {
  const { scope } = createTestState({ node: { eth_getBlockByNumber: { number: '0x3' } } })
  expect(await blockMethods.eth_blockNumber(scope(), [SAFE], [])).toBe('0x3')
  const none = createTestState({ node: { eth_getBlockByNumber: null } })
  await expect(blockMethods.eth_blockNumber(none.scope(), [SAFE], [])).rejects.toThrow('header not found')
})

test('the pending block has all its transactions so far, as hashes or whole', async () => {
  const { scope, payload } = createTestState()
  const hashes = payload.flashblocks.slice(0, 2).flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
  const short = parsed(await blockMethods.eth_getBlockByNumber(scope(), [PENDING, false], []))
  expect(short).toMatchObject({
    number: '0x8',
    hash: payload.flashblocks[1]!.totals.blockHash,
    gasUsed: '0x14820',
    gasLimit: '0x1c9c380',
    baseFeePerGas: '0x7',
    timestamp: '0x6553f108',
    transactions: hashes,
  })
  const whole = parsed(await blockMethods.eth_getBlockByNumber(scope(), [PENDING, true], []))
  const transactions = whole.transactions as Record<string, unknown>[]
  expect(transactions.map(({ hash }) => hash)).toEqual(hashes)
  expect(transactions[3]).toMatchObject({ type: '0x7e', transactionIndex: '0x3', blockNumber: '0x8', gas: '0x5208' })
})

test('the JSON of a block is made once and is the same object the next time', async () => {
  const { scope } = createTestState()
  const first = await blockMethods.eth_getBlockByNumber(scope(), [PENDING, false], [])
  expect(await blockMethods.eth_getBlockByNumber(scope(), [PENDING, false], [])).toBe(first)
  expect(await blockMethods.eth_getBlockByNumber(scope(), [PENDING, true], [])).not.toBe(first)
})

test('a height above the tip is asked of the node by number, and one by hash is cached', async () => {
  const { scope, asked } = createTestState({
    node: { eth_getBlockByNumber: null, eth_getBlockByHash: { number: '0x1', hash: HASH } },
  })
  expect(await blockMethods.eth_getBlockByNumber(scope(), [number(20), true], [])).toBeNull()
  const once = await blockMethods.eth_getBlockByHash(scope(), [HASH, false], [])
  const twice = await blockMethods.eth_getBlockByHash(scope(), [HASH, false], [])
  expect([parsed(once), parsed(twice)]).toEqual(Array(2).fill({ number: '0x1', hash: HASH }))
  expect(asked).toEqual([
    ['eth_getBlockByNumber', ['0x14', true]],
    ['eth_getBlockByHash', [HASH, false]],
  ])
})

test('a block that the node does not know yet is asked for again', async () => {
  const { scope, asked } = createTestState({ node: { eth_getBlockByHash: null } })
  expect(await blockMethods.eth_getBlockByHash(scope(), [HASH, false], [])).toBeNull()
  expect(await blockMethods.eth_getBlockByHash(scope(), [HASH, false], [])).toBeNull()
  expect(asked).toHaveLength(2)
})

test('a header has the fields of its block without transactions', async () => {
  const { scope, payload } = createTestState()
  const header = await blockMethods.eth_getHeaderByNumber(scope(), [PENDING], [])
  expect(header).toMatchObject({ number: '0x8', hash: payload.flashblocks[1]!.totals.blockHash })
  expect(header).not.toHaveProperty('transactions')
  const earlier = payload.flashblocks[0]!.totals.blockHash
  expect(blockMethods.eth_getHeaderByHash(scope(), [earlier], [])).toMatchObject({ hash: earlier, gasUsed: '0xa410' })
})

test('the receipts of the pending block are one for each transaction, with logs counted through the block', async () => {
  const { scope } = createTestState({ flashblocks: 3 })
  const receipts = parsed(await blockMethods.eth_getBlockReceipts(scope(), [PENDING], [])) as unknown as {
    logs: { logIndex: string }[]
    gasUsed: string
    cumulativeGasUsed: string
  }[]
  expect(receipts.map(({ cumulativeGasUsed }) => Number(cumulativeGasUsed))).toEqual([
    21_000, 42_000, 63_000, 84_000, 105_000, 126_000,
  ])
  expect(new Set(receipts.map(({ gasUsed }) => gasUsed))).toEqual(new Set(['0x5208']))
  expect(receipts.map(({ logs }) => logs.map(({ logIndex }) => logIndex))).toEqual([
    [],
    ['0x0'],
    ['0x1', '0x2'],
    [],
    ['0x3'],
    ['0x4', '0x5'],
  ])
})

test('transactions of a block are counted here or by the node, by hash and by number', async () => {
  const { scope, payload, asked } = createTestState({
    node: { eth_getBlockTransactionCountByHash: '0x5', eth_getBlockTransactionCountByNumber: '0x6' },
  })
  const [first] = payload.flashblocks
  expect(blockMethods.eth_getBlockTransactionCountByHash(scope(), [first!.totals.blockHash], [])).toBe('0x2')
  expect(await blockMethods.eth_getBlockTransactionCountByNumber(scope(), [number(8)], [])).toBe('0x4')
  expect(await blockMethods.eth_getBlockTransactionCountByNumber(scope(), [number(2)], [])).toBe('0x6')
  await blockMethods.eth_getBlockTransactionCountByHash(scope(), [HASH], [])
  expect(asked.map(([method]) => method)).toEqual([
    'eth_getBlockTransactionCountByNumber',
    'eth_getBlockTransactionCountByHash',
  ])
})
