import { expect, test } from 'vitest'
import { type RpcMethod, rpcMethods } from './rpc.ts'
import { furtherRpcMethods, passedMethods } from './rpc-further.ts'

const HASH = `0x${'cd'.repeat(32)}`

function parse(method: RpcMethod, params: readonly unknown[]) {
  return method.params.safeParse(params)
}

function messageOf(method: RpcMethod, params: readonly unknown[]): string | undefined {
  return parse(method, params).error?.issues[0]?.message
}

test('no method is listed twice, neither as ours and further nor as ours and the node’s', () => {
  const all = [...Object.keys(rpcMethods), ...Object.keys(furtherRpcMethods), ...passedMethods]
  expect(new Set(all).size).toBe(all.length)
})

test('nothing that signs, unlocks, mines, or keeps a filter at the node is passed on', () => {
  const harmful = /sign|account|personal|admin|miner|mining|newFilter|newBlockFilter|sendTransaction|debug_|engine_/i
  expect(passedMethods.filter((name) => harmful.test(name))).toEqual([])
})

test('the positions of a method’s parameters all have a name', () => {
  for (const [name, method] of Object.entries<RpcMethod>({ ...rpcMethods, ...furtherRpcMethods })) {
    const tuple = method.params as unknown as { _zod: { def: { items: readonly unknown[] } } }
    expect(method.names.length, name).toBe(tuple._zod.def.items.length)
  }
})

test('a simulation has a block at least; how many at most is for the simulation to say', () => {
  const blocks = (count: number) => [{ blockStateCalls: Array(count).fill({ calls: [] }) }, 'latest']
  const { eth_simulateV1 } = furtherRpcMethods
  expect(messageOf(eth_simulateV1, blocks(0))).toBe('must not be empty')
  expect(messageOf(eth_simulateV1, blocks(300))).toBeUndefined()
  expect(messageOf(eth_simulateV1, ['x'])).toBe('must be a simulation')
})

test('a simulated block has at most 5,000 calls', () => {
  const calls = (count: number) => [{ blockStateCalls: [{ calls: Array(count).fill({}) }] }]
  expect(messageOf(furtherRpcMethods.eth_simulateV1, calls(5_000))).toBeUndefined()
  expect(messageOf(furtherRpcMethods.eth_simulateV1, calls(5_001))).toBe('must be at most 5000 calls')
})

test('a fee history takes its count in decimal and as a quantity, up to 1,024', () => {
  const { eth_feeHistory } = furtherRpcMethods
  expect(parse(eth_feeHistory, [4, 'latest']).data?.[0]).toBe(4)
  expect(parse(eth_feeHistory, ['0x400', 'latest']).data?.[0]).toBe(1_024)
  expect(messageOf(eth_feeHistory, ['0x401', 'latest'])).toBe('must be at most 1024')
  expect(messageOf(eth_feeHistory, [-1, 'latest'])).toBe('must be a number of blocks')
  expect(messageOf(eth_feeHistory, [1.5, 'latest'])).toBe('must be a number of blocks')
})

test('percentiles rise from 0 to 100 and may repeat', () => {
  const percentiles = (list: unknown) => messageOf(furtherRpcMethods.eth_feeHistory, [1, 'latest', list])
  expect(percentiles([0, 25, 25, 99.9, 100])).toBeUndefined()
  expect(percentiles(null)).toBeUndefined()
  expect(percentiles([50, 25])).toBe('must rise')
  expect(percentiles([101])).toBe('must be at most 100')
  expect(percentiles([-0.1])).toBe('must be at least 0')
  expect(percentiles(Array(101).fill(1))).toBe('must be at most 100 percentiles')
  expect(percentiles(['50'])).toBe('must be a number')
})

test('a client may wait for its receipt from 1 ms to 30 s', () => {
  const wait = (ms: unknown) => messageOf(furtherRpcMethods.eth_sendRawTransactionSync, ['0x02', ms])
  expect([wait(1), wait(30_000), wait('0x7530'), wait(null)]).toEqual([undefined, undefined, undefined, undefined])
  expect([wait(0), wait(30_001), wait('0x7531')]).toEqual(Array(3).fill('must be from 1 to 30000 ms'))
  expect([wait('1s'), wait(1.5)]).toEqual(Array(2).fill('must be a number of milliseconds'))
})

test('a subscription takes a filter, or true or false, after its kind', () => {
  const { eth_subscribe } = furtherRpcMethods
  expect(parse(eth_subscribe, ['logs', { topics: [HASH] }]).data?.[1]).toEqual({ topics: [[HASH]] })
  expect(parse(eth_subscribe, ['newFlashblocks', true]).data?.[1]).toBe(true)
  expect(parse(eth_subscribe, ['newHeads', null]).success).toBe(true)
  expect(messageOf(eth_subscribe, ['logs', 'all'])).toBe('must be a filter, or true or false')
  expect(messageOf(eth_subscribe, ['syncing'])).toBe(
    'must be one of newHeads, logs, newFlashblocks, newFlashblockTransactions, pendingLogs, flashblocks, newPendingTransactions',
  )
})

test('a block by number needs to know whether whole transactions are wanted', () => {
  const { eth_getBlockByNumber } = rpcMethods
  expect(parse(eth_getBlockByNumber, ['0x1', false]).success).toBe(true)
  expect(messageOf(eth_getBlockByNumber, ['0x1', 'false'])).toBe(
    'must be true for whole transactions or false for hashes',
  )
})
