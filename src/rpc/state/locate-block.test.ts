import { expect, test } from 'vitest'
import type { Hex } from '../../chain/bytes/hex.ts'
import { locateBlock, locateByHash, locateState } from './locate-block.ts'
import { createTestState } from './rpc-state-for-tests.ts'

function tag(name: 'latest' | 'pending' | 'safe') {
  return { type: 'tag' as const, tag: name }
}

test('pending is the tip, and latest the canonical head below it', async () => {
  const { scope, pendingChain } = createTestState()
  const { tip, canonical } = pendingChain.view().snapshot
  expect(await locateBlock(scope(), tag('pending'))).toEqual({ type: 'known', block: tip })
  expect(await locateBlock(scope(), tag('latest'))).toEqual({ type: 'node', at: { blockHash: canonical!.hash } })
  expect(await locateBlock(scope(), undefined)).toEqual({ type: 'node', at: { blockHash: canonical!.hash } })
  expect(await locateBlock(scope(), tag('safe'))).toEqual({ type: 'node', at: 'safe' })
})

test('latest is the tip if the operator chose so', async () => {
  const { scope, pendingChain } = createTestState({ latest: 'preconfirmed' })
  const { tip } = pendingChain.view().snapshot
  expect(await locateBlock(scope(), tag('latest'))).toEqual({ type: 'known', block: tip })
})

test('while nothing is pending, pending is the latest block of the node, and one block throughout a batch', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  const { scope, asked } = createTestState({ flashblocks: 0, node: { eth_getBlockByNumber: { hash } } })
  expect(await locateBlock(scope(), tag('pending'))).toEqual({ type: 'node', at: 'latest' })
  const batch = scope(['eth_blockNumber', 'eth_blockNumber'])
  const found = { type: 'node', at: { blockHash: hash } }
  expect([await locateBlock(batch, tag('pending')), await locateBlock(batch, tag('latest'))]).toEqual([found, found])
  expect(asked).toHaveLength(1)
})

test('a flashblock is found by its hash, also when a newer one of the same block has arrived', () => {
  const { scope, payload } = createTestState()
  const [first, second] = payload.flashblocks.map(({ totals }) => totals.blockHash as Hex)
  expect(locateByHash(scope(), first!)).toMatchObject({ type: 'known', block: { index: 0 } })
  expect(locateByHash(scope(), second!)).toMatchObject({ type: 'known', block: { index: 1 } })
})

test('a block that is only preconfirmed is refused if a canonical one is required', async () => {
  const { scope, payload } = createTestState()
  const hash = payload.flashblocks[1]!.totals.blockHash as Hex
  const parameter = { type: 'hash' as const, hash, requireCanonical: true }
  await expect(locateBlock(scope(), parameter)).rejects.toThrow('hash is not currently canonical')
})

test('without a state, pending means the canonical head, and a flashblock named by its hash is refused', async () => {
  const { scope, pendingChain } = createTestState()
  const { tip, canonical } = pendingChain.view().snapshot
  expect(await locateState(scope(), tag('pending'))).toEqual({ type: 'node', at: { blockHash: canonical!.hash } })
  const parameter = { type: 'hash' as const, hash: tip!.hash, requireCanonical: false }
  await expect(locateState(scope(), parameter)).rejects.toThrow('the executor is off')
})
