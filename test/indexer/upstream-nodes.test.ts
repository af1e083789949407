// The node client against nodes with a life of their own: our devnet, and anvil, which is foreign. Both are busy while it reads.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { type Anvil, startAnvil } from '../../devnet/genesis/anvil-for-tests.ts'
import { runTraffic } from '../../devnet/traffic/driver.ts'
import { bytesToHex, type Hex, toQuantity, wordToHex } from '../../src/chain/bytes/hex.ts'
import { DEPOSIT } from '../../src/chain/codec/transaction.ts'
import { encodeTransaction } from '../../src/chain/codec/transaction-codec.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from '../../src/chain/rules/addresses.ts'
import type { CallFrame } from '../../src/chain/trace/call-frame.ts'
import { framesFromCallTracer } from '../../src/chain/trace/call-tracer-frames.ts'
import { framesFromParity } from '../../src/chain/trace/parity-frames.ts'
import { createLog } from '../../src/lib/log.ts'
import { createNode, type Node } from '../../src/upstream/node/node.ts'
import type { NodeBlock } from '../../src/upstream/node/node-block.ts'
import { startLivelyDevnet, startStillDevnet } from '../support/devnet.ts'
import { freePort } from '../support/free-port.ts'

const log = createLog({ level: 'silent', pretty: false })
const ENOUGH_BLOCKS = 12

describe('our devnet', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startLivelyDevnet({ tps: 40 })
  })
  afterAll(() => devnet.stop())

  test.each(['url', 'wsUrl'] as const)('our devnet is read whole through its %s', async (kind) => {
    const node = createNode({ urls: [devnet[kind]], log })
    try {
      const blocks = await blocksOnceThereAre(node, ENOUGH_BLOCKS)
      expect((await node.probe()).traces.method).toBe('debug_traceBlockByNumber')
      expect(blocks.every(({ traces, transactions }) => traces?.length === transactions.length)).toBe(true)
      expect(blocks.slice(1).every(({ transactions }) => transactions[0]?.transaction.type === DEPOSIT)).toBe(true)
      const fees = blocks.flatMap(({ receipts }) => receipts.map(({ l1Fee }) => l1Fee))
      expect(fees.some((fee) => fee > 0n)).toBe(true)
      await expectSameFramesOfBothShapes(node, blocks)
    } finally {
      node.close()
    }
  })

  test('our devnet announces its heads by WebSocket, long before polling would find them', async () => {
    const node = createNode({ urls: [devnet.url], log, pollMs: 60_000 })
    const stop = new AbortController()
    const heights: number[] = []
    // A head that came before the socket was open is noticed with the next one.
    for await (const { height } of node.heads(AbortSignal.any([stop.signal, AbortSignal.timeout(30_000)]))) {
      heights.push(height)
      if (heights.length === 5) stop.abort()
    }
    expect(heights).toHaveLength(5)
    expect(heights).toEqual(heights.toSorted((a, b) => a - b))
    node.close()
  })
})

test('heads come again after the node was gone', async () => {
  const port = Number(await freePort())
  let devnet = await startStillDevnet({ port })
  const node = createNode({ urls: [devnet.url], log, pollMs: 50, giveUpAfterMs: 200, timeoutMs: 200 })
  const stop = new AbortController()
  const hashes: Hex[] = []
  for await (const { hash } of node.heads(AbortSignal.any([stop.signal, AbortSignal.timeout(30_000)]))) {
    hashes.push(hash)
    if (hashes.length === 1) {
      await devnet.stop()
      await sleep(500)
      devnet = await startStillDevnet({ port, seed: 'another chain' })
      await node.call('devnet_seal', [])
    }
    if (hashes.length === 2) stop.abort()
  }
  expect(new Set(hashes).size).toBe(2)
  node.close()
  await devnet.stop()
})

describe('anvil', () => {
  let anvil: Anvil
  let living: Promise<void>
  const stop = new AbortController()
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 1_337_200, args: ['--block-time', '1'] })
    living = sendUntilStopped(anvil.url, stop.signal)
  })
  afterAll(async () => {
    stop.abort()
    await living
    await anvil.stop()
  })

  test('anvil is read whole, deposits too, by the traces that it makes quickly', async () => {
    const node = createNode({ urls: [anvil.url], log })
    try {
      for (let i = 0n; i < 3n; i++) {
        await node.call('eth_sendRawTransaction', [rawDeposit(i)])
        await nextHead(node)
      }
      const blocks = await blocksOnceThereAre(node, ENOUGH_BLOCKS)
      expect((await node.probe()).traces).toEqual({ method: 'trace_block', reason: expect.stringMatching('quadratic') })
      const types = new Set(
        blocks.flatMap(({ transactions }) => transactions.map(({ transaction }) => transaction.type)),
      )
      expect(types.has(DEPOSIT)).toBe(true)
      const inner = blocks.flatMap(({ traces }) => traces!.flatMap((frame) => frame?.calls ?? []))
      expect(inner.length).toBeGreaterThan(10)
      await expectSameFramesOfBothShapes(node, blocks)
    } finally {
      node.close()
    }
  })
})

async function blocksOnceThereAre(node: Node, count: number): Promise<NodeBlock[]> {
  while ((await node.head()).height < count) await sleep(100)
  const blocks: NodeBlock[] = []
  for await (const block of node.blocks({ from: 0, to: count })) blocks.push(block)
  return blocks
}

async function nextHead(node: Node): Promise<void> {
  const { height } = await node.head()
  while ((await node.head()).height === height) await sleep(50)
}

/** Both ways of tracing a block give the same, but for calls of precompiles, which only one shows. */
async function expectSameFramesOfBothShapes(node: Node, blocks: readonly NodeBlock[]): Promise<void> {
  for (const { header, hash, transactions } of blocks) {
    const at = toQuantity(header.number)
    const transactionHashes = transactions.map((each) => each.hash)
    if (transactionHashes.length === 0) continue
    const trees = await node.call('debug_traceBlockByNumber', [at, { tracer: 'callTracer' }])
    const flat = await node.call('trace_block', [at])
    const expected = framesFromCallTracer(trees, transactionHashes).map(({ frame }) => comparable(frame!))
    expect(framesFromParity(flat, { hash, transactionHashes }).map(({ frame }) => comparable(frame!))).toEqual(expected)
  }
}

/** Nodes differ in what they call the gas of the outermost call, and in the words for an error. */
function comparable({ gas: _, gasUsed: __, error, calls, ...rest }: CallFrame): object {
  const shown = calls.filter(({ to, value }) => to === null || to > LAST_PRECOMPILE || value > 0n)
  return { ...rest, hasFailed: error !== null, calls: shown.map(comparable) }
}

const LAST_PRECOMPILE = 0x100n

function rawDeposit(salt: bigint): Hex {
  return bytesToHex(
    encodeTransaction({
      type: DEPOSIT,
      sourceHash: wordToHex(salt + 1n),
      from: L1_ATTRIBUTES_DEPOSITOR,
      to: 0x1234n,
      mint: 5n,
      value: 0n,
      gasLimit: 1_000_000n,
      isSystemTx: false,
      data: new Uint8Array(0),
    }),
  )
}

async function sendUntilStopped(url: string, signal: AbortSignal): Promise<void> {
  for await (const _ of runTraffic({ url, tps: 30, seed: 5, signal }));
}
