import { afterEach, expect, test } from 'vitest'
import type { Devnet } from '../../../devnet/devnet.ts'
import { rpc, startStillDevnet } from '../../../test/support/devnet.ts'
import { createLog } from '../../lib/log.ts'
import { canonicalBlocks } from './canonical-blocks.ts'
import { createNode } from './node.ts'
import type { NodeBlock } from './node-block.ts'

const log = createLog({ level: 'silent', pretty: false })
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function follow(blocksBefore: number): Promise<{ devnet: Devnet; blocks: NodeBlock[] }> {
  const devnet = await startStillDevnet()
  for (let i = 0; i < blocksBefore; i++) await rpc(devnet.url, 'devnet_seal')
  const node = createNode({ urls: [devnet.url], log, pollMs: 20, wantsTraces: false })
  const stopping = new AbortController()
  const blocks: NodeBlock[] = []
  const following = (async () => {
    for await (const block of canonicalBlocks({ node, log }, stopping.signal)) blocks.push(block)
  })()
  cleanups.push(
    () => stopping.abort(),
    () => following,
    () => node.close(),
    () => devnet.stop(),
  )
  await until(() => blocks.length > 0)
  return { devnet, blocks }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}
function heights(blocks: readonly NodeBlock[]) {
  return blocks.map(({ header }) => header.number)
}

test('canonical blocks begin with the head and leave nothing out, however fast blocks come', async () => {
  const { devnet, blocks } = await follow(5)
  for (let i = 0; i < 20; i++) await rpc(devnet.url, 'devnet_seal')
  await until(() => blocks.at(-1)!.header.number === 25)
  expect(heights(blocks)).toEqual(Array.from({ length: 21 }, (_, i) => 5 + i))
  for (const [i, block] of blocks.entries()) {
    if (i > 0) expect(block.header.parentHash).toBe(blocks[i - 1]!.hash)
    expect(block.traces === null || block.transactions.length === 0).toBe(true)
  }
})

test('the blocks of a reorg come from the lowest on', async () => {
  const { devnet, blocks } = await follow(1)
  for (let i = 0; i < 6; i++) await rpc(devnet.url, 'devnet_seal')
  await until(() => blocks.at(-1)!.header.number === 7)
  blocks.length = 0
  await rpc(devnet.url, 'devnet_reorg', '0x3')
  const head = await rpc(devnet.url, 'eth_getBlockByNumber', 'latest', false)
  await until(() => blocks.at(-1)?.hash === head.hash)
  expect(heights(blocks)[0]).toBe(5)
  for (const [i, block] of blocks.entries()) {
    if (i > 0) expect(block.header.parentHash).toBe(blocks[i - 1]!.hash)
  }
})
