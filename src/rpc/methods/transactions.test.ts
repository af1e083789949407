import { expect, test } from 'vitest'
import { bytesToHex } from '../../chain/bytes/hex.ts'
import { createTestState, SILENCE } from '../state/rpc-state-for-tests.ts'
import { transactionMethods } from './transactions.ts'

const HASH = `0x${'cd'.repeat(32)}` as const
const PENDING = { type: 'tag', tag: 'pending' } as const

test('a preconfirmed transaction is found by its hash, with its position in the block', () => {
  const { scope, payload, asked } = createTestState()
  const { hash, raw } = payload.flashblocks[1]!.transactions[0]!
  expect(transactionMethods.eth_getTransactionByHash(scope(), [hash], [hash])).toMatchObject({
    hash,
    blockNumber: '0x8',
    transactionIndex: '0x2',
    from: '0x00000000000000000000000000000000000000f0',
    to: '0x0000000000000000000000000000000000000070',
  })
  expect(transactionMethods.eth_getRawTransactionByHash(scope(), [hash], [hash])).toBe(bytesToHex(raw))
  expect(asked).toEqual([])
})

test('a receipt of a preconfirmed transaction has its own gas and its logs', () => {
  const { scope, payload } = createTestState()
  const { hash } = payload.flashblocks[1]!.transactions[0]!
  expect(transactionMethods.eth_getTransactionReceipt(scope(), [hash], [hash])).toMatchObject({
    transactionHash: hash,
    status: '0x1',
    gasUsed: '0x5208',
    cumulativeGasUsed: '0xf618',
    logs: [
      { logIndex: '0x1', data: '0x02', topics: [`0x${'00'.repeat(32)}`] },
      { logIndex: '0x2', data: '0x02', topics: [`0x${'00'.repeat(31)}01`] },
    ],
  })
})

test('an unknown hash is the node’s question, whose null stays null', async () => {
  const { scope, asked } = createTestState({
    node: { eth_getTransactionByHash: null, eth_getTransactionReceipt: null, eth_getRawTransactionByHash: null },
  })
  expect(await transactionMethods.eth_getTransactionByHash(scope(), [HASH], [HASH])).toBeNull()
  expect(await transactionMethods.eth_getTransactionReceipt(scope(), [HASH], [HASH])).toBeNull()
  expect(await transactionMethods.eth_getRawTransactionByHash(scope(), [HASH], [HASH])).toBeNull()
  expect(asked.map(([, params]) => params)).toEqual([[HASH], [HASH], [HASH]])
})

test('a node that refuses is no null: the client gets its refusal', async () => {
  const { scope } = createTestState()
  await expect(transactionMethods.eth_getTransactionReceipt(scope(), [HASH], [HASH])).rejects.toMatchObject({
    code: -32601,
    message: 'the node has no such method',
  })
})

test('a transaction is found by its position in the pending block, and past the last one there is none', async () => {
  const { scope, payload } = createTestState()
  const last = payload.flashblocks[1]!.transactions[1]!
  expect(
    await transactionMethods.eth_getTransactionByBlockNumberAndIndex(scope(), [PENDING, 3], ['pending', '0x3']),
  ).toMatchObject({ hash: last.hash })
  expect(
    await transactionMethods.eth_getTransactionByBlockNumberAndIndex(scope(), [PENDING, 4], ['pending', '0x4']),
  ).toBeNull()
  expect(
    await transactionMethods.eth_getRawTransactionByBlockNumberAndIndex(scope(), [PENDING, 3], ['pending', '0x3']),
  ).toBe(bytesToHex(last.raw))
  expect(
    await transactionMethods.eth_getRawTransactionByBlockNumberAndIndex(scope(), [PENDING, 9], ['pending', '0x9']),
  ).toBeNull()
})

test('an index goes to the node as the client wrote it', async () => {
  const { scope, asked } = createTestState({ node: { eth_getTransactionByBlockHashAndIndex: null } })
  await transactionMethods.eth_getTransactionByBlockHashAndIndex(scope(), [HASH, 1], [HASH, '0x01'])
  expect(asked).toEqual([['eth_getTransactionByBlockHashAndIndex', [HASH, '0x01']]])
})

test('the status of a preconfirmed transaction says without a ledger where it was preconfirmed', async () => {
  const { scope, payload } = createTestState()
  const { hash } = payload.flashblocks[1]!.transactions[1]!
  expect(await transactionMethods.firstlight_transactionStatus(scope(), [hash], [hash])).toEqual({
    hash,
    stage: 'preconfirmed',
    preconfirmed: { height: 8, flashblockIndex: 1, position: 3 },
  })
})

test('what the ledger says of a transaction goes before everything else', async () => {
  const ledger = { stagesOf: (hash: string) => (hash === HASH ? { stage: 'dropped' } : null), seen: () => undefined }
  const { scope, payload } = createTestState({ ledger })
  expect(await transactionMethods.firstlight_transactionStatus(scope(), [HASH], [HASH])).toEqual({ stage: 'dropped' })
  const { hash } = payload.flashblocks[0]!.transactions[0]!
  expect(await transactionMethods.firstlight_transactionStatus(scope(), [hash], [hash])).toMatchObject({
    stage: 'preconfirmed',
  })
})

function statusWith(transaction: unknown, tags: unknown) {
  const { scope } = createTestState({ node: { eth_getTransactionByHash: transaction, eth_getBlockByNumber: tags } })
  return transactionMethods.firstlight_transactionStatus(scope(), [HASH], [HASH])
}

test('what only the node knows is unknown, seen, included or finalized', async () => {
  const included = { blockNumber: '0x5', blockHash: HASH, transactionIndex: '0x1' }
  const place = { height: 5, blockHash: HASH, position: 1 }
  expect(await statusWith(null, null)).toEqual({ hash: HASH, stage: 'unknown' })
  expect(await statusWith({ blockNumber: null }, null)).toEqual({ hash: HASH, stage: 'seen' })
  expect(await statusWith(included, { number: '0x4' })).toEqual({ hash: HASH, stage: 'included', included: place })
  expect(await statusWith(included, { number: '0x5' })).toEqual({ hash: HASH, stage: 'finalized', included: place })
})

test('a status says that it is at least so where the node is silent about its tags', async () => {
  const included = { blockNumber: '0x5', blockHash: HASH, transactionIndex: '0x1' }
  expect(await statusWith(included, SILENCE)).toMatchObject({ stage: 'included', stageIsAtLeast: true })
})

test('a block of height zero is included, and not seen only', async () => {
  const first = { blockNumber: '0x0', blockHash: HASH, transactionIndex: '0x0' }
  expect(await statusWith(first, null)).toMatchObject({ stage: 'included', included: { height: 0, position: 0 } })
})
