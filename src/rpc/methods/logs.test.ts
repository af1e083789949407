import { expect, test } from 'vitest'
import { logQuery } from '../../contract/rpc-params.ts'
import { createTestState, type TestStateOptions } from '../state/rpc-state-for-tests.ts'
import { logMethods } from './logs.ts'

const HASH = `0x${'cd'.repeat(32)}`
const NODE_LOG = { address: '0x01', logIndex: '0x0' }

async function getLogs(raw: Record<string, unknown>, options: TestStateOptions = {}) {
  const { scope, asked, payload } = createTestState({ node: { eth_getLogs: [NODE_LOG] }, ...options })
  const logs = await logMethods.eth_getLogs(scope(), [logQuery.parse(raw)], [raw])
  return { logs: logs as Record<string, unknown>[], asked, payload }
}

test('canonical logs come from the node, and preconfirmed ones follow them', async () => {
  const { logs, asked } = await getLogs({ fromBlock: '0x2', toBlock: 'pending' })
  expect(logs[0]).toBe(NODE_LOG)
  expect(logs.slice(1).map(({ blockNumber, logIndex }) => [blockNumber, logIndex])).toEqual([
    ['0x8', '0x0'],
    ['0x8', '0x1'],
    ['0x8', '0x2'],
  ])
  expect(asked).toEqual([['eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x7' }]]])
})

test('a range that ends at the canonical head has nothing that is only preconfirmed', async () => {
  const { logs, asked } = await getLogs({ fromBlock: '0x7' })
  expect(logs).toEqual([NODE_LOG])
  expect(asked).toEqual([['eth_getLogs', [{ fromBlock: '0x7', toBlock: '0x7' }]]])
})

test('a range above the canonical head does not ask the node', async () => {
  const { logs, asked } = await getLogs({ fromBlock: 'pending', toBlock: 'pending' })
  expect(logs).toHaveLength(3)
  expect(asked).toEqual([])
  expect((await getLogs({ fromBlock: '0x9', toBlock: '0x20' })).logs).toEqual([])
})

test('the filter of the client holds on both sides of the head', async () => {
  const topic = `0x${'00'.repeat(31)}01`
  const { logs, asked } = await getLogs({ fromBlock: '0x7', toBlock: 'pending', topics: [topic] })
  expect(logs.slice(1).map(({ topics }) => topics)).toEqual([[topic]])
  expect(asked[0]![1]).toEqual([{ fromBlock: '0x7', toBlock: '0x7', topics: [topic] }])
})

test('a range that goes backwards or over ten thousand blocks is refused', async () => {
  await expect(getLogs({ fromBlock: 'pending', toBlock: 'latest' })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('fromBlock is above toBlock'),
  })
  await expect(getLogs({ fromBlock: '0x0', toBlock: '0x2710' })).rejects.toMatchObject({
    code: -32005,
    message: 'query exceeds max block range 10000',
  })
  expect((await getLogs({ fromBlock: '0x0', toBlock: '0x270f' })).logs).toHaveLength(4)
})

test('a range is given in numbers, and a hash in it is refused', async () => {
  await expect(getLogs({ fromBlock: HASH, toBlock: 'latest' })).rejects.toThrow('use blockHash')
})

test('the logs of a flashblock by its hash are those up to it', async () => {
  const { payload } = await getLogs({ fromBlock: 'pending', toBlock: 'pending' })
  const [first, second] = payload.flashblocks
  expect((await getLogs({ blockHash: first!.totals.blockHash })).logs).toHaveLength(1)
  expect((await getLogs({ blockHash: second!.totals.blockHash })).logs).toHaveLength(3)
  const { asked } = await getLogs({ blockHash: HASH })
  expect(asked).toEqual([['eth_getLogs', [{ blockHash: HASH }]]])
})

test('while nothing is pending the node answers, and pending means latest', async () => {
  const { logs, asked } = await getLogs({ fromBlock: '0x1', toBlock: 'pending' }, { flashblocks: 0 })
  expect(logs).toEqual([NODE_LOG])
  expect(asked).toEqual([['eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest' }]]])
})

test('safe is looked up, and a node without it is an error and not height zero', async () => {
  const node = { eth_getLogs: [], eth_getBlockByNumber: { number: '0x5' } }
  const { asked } = await getLogs({ fromBlock: 'safe', toBlock: 'latest' }, { node })
  expect(asked.at(-1)).toEqual(['eth_getLogs', [{ fromBlock: '0x5', toBlock: '0x7' }]])
  const without = { node: { eth_getLogs: [], eth_getBlockByNumber: null } }
  await expect(getLogs({ fromBlock: 'safe' }, without)).rejects.toThrow('unknown block')
})

test('a node that answers without a list, or with too many logs, is an error', async () => {
  await expect(getLogs({}, { node: { eth_getLogs: null } })).rejects.toThrow('without a list')
  const many = { node: { eth_getLogs: Array(19_998).fill(NODE_LOG) } }
  await expect(getLogs({ toBlock: 'pending' }, many)).rejects.toMatchObject({ code: -32005 })
  expect((await getLogs({ toBlock: 'latest' }, many)).logs).toHaveLength(19_998)
})
