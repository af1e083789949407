import { expect, test } from 'vitest'
import type { PendingBlock, PendingTransaction } from '../../pending/pending-block.ts'
import { createTestState } from '../state/rpc-state-for-tests.ts'
import type { Scope } from '../state/scope.ts'
import { feeMethods } from './fees.ts'

const PENDING = { type: 'tag', tag: 'pending' } as const
const LATEST = { type: 'tag', tag: 'latest' } as const
/** Blocks 6 and 7, and the base fee after them. */
const HISTORY = {
  oldestBlock: '0x6',
  baseFeePerGas: ['0x5', '0x6', '0x7'],
  gasUsedRatio: [0.5, 0.25],
}
const ONE_BLOCK = { oldestBlock: '0x7', baseFeePerGas: ['0x6', '0x7'], gasUsedRatio: [0.25] }

test('preconfirmed blocks follow the canonical ones that the node is asked for', async () => {
  const { scope, asked } = createTestState({ node: { eth_feeHistory: HISTORY } })
  expect(await feeMethods.eth_feeHistory(scope(), [3, PENDING, undefined], ['0x3', 'pending'])).toEqual({
    oldestBlock: '0x6',
    baseFeePerGas: ['0x5', '0x6', '0x7', '0x7'],
    gasUsedRatio: [0.5, 0.25, 0.0028],
  })
  expect(asked).toEqual([['eth_feeHistory', ['0x2', '0x7']]])
})

test('the pending block alone has its own height as the oldest', async () => {
  const { scope } = createTestState({ node: { eth_feeHistory: { ...ONE_BLOCK, reward: [['0x3']] } } })
  expect(await feeMethods.eth_feeHistory(scope(), [1, PENDING, [50]], ['0x1', 'pending', [50]])).toEqual({
    oldestBlock: '0x8',
    baseFeePerGas: ['0x7', '0x7'],
    gasUsedRatio: [0.0028],
    reward: [['0x0']],
  })
})

test('blob fields are filled up where the node has them', async () => {
  const blobs = { baseFeePerBlobGas: ['0x2', '0x2'], blobGasUsedRatio: [0.1] }
  const { scope } = createTestState({ node: { eth_feeHistory: { ...ONE_BLOCK, ...blobs } } })
  expect(await feeMethods.eth_feeHistory(scope(), [2, PENDING, null], ['0x2', 'pending'])).toMatchObject({
    oldestBlock: '0x7',
    baseFeePerBlobGas: ['0x2', '0x1', '0x1'],
    blobGasUsedRatio: [0.1, 0],
  })
})

test('a history up to the canonical head is the node’s, pinned to the head of this view', async () => {
  const { scope, asked } = createTestState({ node: { eth_feeHistory: HISTORY } })
  expect(await feeMethods.eth_feeHistory(scope(), [2, LATEST, [10]], ['0x2', 'latest', [10]])).toBe(HISTORY)
  expect(asked).toEqual([['eth_feeHistory', ['0x2', '0x7', [10]]]])
})

test('while nothing is pending, pending is the node’s latest', async () => {
  const { scope, asked } = createTestState({ flashblocks: 0, node: { eth_feeHistory: HISTORY } })
  await feeMethods.eth_feeHistory(scope(), [2, PENDING, undefined], [2, 'pending'])
  expect(asked).toEqual([['eth_feeHistory', [2, 'latest']]])
})

test('a count of zero is left to the node, which knows what it answers to that', async () => {
  const { scope, asked } = createTestState({ node: { eth_feeHistory: { oldestBlock: '0x0' } } })
  expect(await feeMethods.eth_feeHistory(scope(), [0, PENDING, undefined], ['0x0', 'pending'])).toEqual({
    oldestBlock: '0x0',
  })
  expect(asked).toEqual([['eth_feeHistory', ['0x0', '0x7']]])
})

/** An EIP-1559 transaction that pays this tip, of which a block at base fee 7 takes all. */
function paying(tip: bigint, gasUsed: bigint): PendingTransaction {
  const transaction = { type: 2, maxFeePerGas: 7n + tip, maxPriorityFeePerGas: tip, gasLimit: 1_000_000n }
  return { recovered: { transaction }, flashblockIndex: 0, outcome: { gasUsed } } as unknown as PendingTransaction
}

async function rewards(transactions: readonly PendingTransaction[], percentiles: readonly number[]) {
  const { scope } = createTestState({
    node: { eth_feeHistory: { ...ONE_BLOCK, reward: [percentiles.map(() => '0x0')] } },
  })
  const real = scope()
  const tip: PendingBlock = { ...real.view.snapshot.tip!, transactions }
  const view = { ...real.view, snapshot: { ...real.view.snapshot, blocks: [tip], tip } }
  const changed: Scope = { ...real, view }
  const history = await feeMethods.eth_feeHistory(changed, [1, PENDING, [...percentiles]], [1, 'pending', percentiles])
  return (history as { reward: string[][] }).reward.at(-1)!.map(Number)
}

test('rewards are tips by share of gas, and not by number of transactions', async () => {
  const transactions = [paying(30n, 10_000n), paying(10n, 80_000n), paying(20n, 10_000n)]
  expect(await rewards(transactions, [0, 10, 80, 81, 90, 91, 100])).toEqual([10, 10, 10, 20, 20, 30, 30])
})

test('a block without transactions has rewards of zero', async () => {
  expect(await rewards([], [0, 50, 100])).toEqual([0, 0, 0])
})

test('tips beyond 2 to the 53 stay in order', async () => {
  const [low, high] = [2n ** 70n, 2n ** 70n + 1n]
  expect(await rewards([paying(high, 1n), paying(low, 1n)], [0])).toEqual([Number(low)])
})
