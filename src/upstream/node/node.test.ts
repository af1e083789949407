// The node client over real sockets, against a recorded chain that lies, stalls and breaks off, and against proxies that bend it. The
// recording lies beside the repository; where it does not, the tests are skipped.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../test/support/free-port.ts'
import { hasTape } from '../../../test/support/tape.ts'
import { toQuantity, wordToHex } from '../../chain/bytes/hex.ts'
import { BrokenChain, NodeUnavailable } from './failures.ts'
import type { NodeBlock } from './node-block.ts'
import type { Json } from './proxy-for-tests.ts'
import {
  allOf,
  fingerprint,
  GIVES_UP_SOON,
  HEAD,
  LAST,
  printOf,
  useRecordedNode,
  withLies,
} from './recorded-node-for-tests.ts'

describe.runIf(hasTape)('the node', () => {
  const { tape, truth, nodeAt, proxied, endAfterTest } = useRecordedNode()

  test('the node gives the recorded chain whole, linked, with receipts and traces', async () => {
    const node = nodeAt([tape().url])
    const blocks = await allOf(node.blocks({ from: 0, to: LAST }))
    expect(blocks.map(({ header }) => header.number)).toEqual(Array.from({ length: LAST + 1 }, (_, i) => i))
    for (const [index, { header }] of blocks.slice(1).entries()) expect(header.parentHash).toBe(blocks[index]!.hash)
    const answer = await node.call('eth_getBlockByNumber', [toQuantity(LAST), true])
    expect(blocks.at(-1)!.transactions.map(({ hash }) => hash)).toEqual(
      (answer as Json).transactions.map((t: Json) => t.hash),
    )
    for (const { transactions, receipts, traces } of blocks) {
      expect(receipts).toHaveLength(transactions.length)
      expect(traces).toHaveLength(transactions.length)
    }
  })

  test.each([
    ['429', undefined],
    ['500', undefined],
    ['garbage', undefined],
    ['hang', undefined],
    ['halfopen', undefined],
    ['truncate', undefined],
    ['nullReceipts', 'eth_getBlockReceipts'],
    ['shortReceipts', 'eth_getBlockReceipts'],
    ['wrongParent', 'eth_getBlockByNumber'],
    ['badHash', 'eth_getBlockByNumber'],
  ])('the node gives the same chain under %s', async (kind, method) => {
    const { injected: before } = await tape().control({ fault: { kind, p: 0.2, ...(method && { method }) } })
    let injected = before
    // Chance may spare a whole walk, but not ten of them. Small batches, so that there are exchanges enough to fail.
    for (let walk = 0; walk < 10 && injected === before; walk++) {
      expect(await fingerprint(nodeAt([tape().url], { maxBatch: 12 }))).toBe(truth())
      injected = (await tape().control({})).injected
    }
    expect(injected).toBeGreaterThan(before)
  })

  test('the node goes to another URL where one is dead, broken or of another chain', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`
    const broken = await proxied({ refuse: () => ({ code: -32603, message: 'internal error' }) })
    const foreign = await proxied({ rewrite: (method, result) => (method === 'eth_chainId' ? '0x1' : result) })
    const node = nodeAt([nobody, broken.url, tape().url, foreign.url])
    expect(await fingerprint(node)).toBe(truth())
    const [dead, bad, good] = node.status()
    expect(dead!.trouble).toMatch('ECONNREFUSED')
    expect(bad!.profile).toBeNull()
    expect(good).toMatchObject({ trouble: null, profile: { chainId: 31337 } })
  })

  test('the node asks another URL where one lies', async () => {
    const liar = await proxied({
      rewrite: (method, result) => (method === 'eth_getBlockByNumber' ? withLies(result) : result),
    })
    expect(await fingerprint(nodeAt([liar.url, tape().url]))).toBe(truth())
  })

  test('the node gives no block of a URL that always lies', async () => {
    const liar = await proxied({
      rewrite: (method, result) => (method === 'eth_getBlockByNumber' ? withLies(result) : result),
    })
    const node = nodeAt([liar.url], GIVES_UP_SOON)
    const failure = await node.block(3).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(NodeUnavailable)
    expect((failure as Error).message).toContain('another sender')
  })

  test('the node answers null for a block that is not there, and says where a range ends too early', async () => {
    await tape().control({ head: 40 })
    const node = nodeAt([tape().url])
    expect(await node.block(41)).toBeNull()
    expect(await node.block(wordToHex(1n))).toBeNull()
    const broken = allOf(node.blocks({ from: 38, to: 45 }))
    await expect(broken).rejects.toThrow(new BrokenChain(41, 'is not there'))
  })

  test('the node takes a block from a URL that has it where another one lags', async () => {
    const isRecent = (params: Json[]) => Number(params[0]) > 10
    const lagging = await proxied({
      rewrite: (method, result, params) => (/ByNumber|Receipts/.test(method) && isRecent(params) ? null : result),
    })
    expect(await fingerprint(nodeAt([lagging.url, tape().url]))).toBe(truth())
  })

  test('the node finds a block by its hash', async () => {
    const node = nodeAt([tape().url])
    const block = await node.block(17)
    expect(printOf((await node.block(block!.hash))!)).toBe(printOf(block!))
  })

  test('the node says that the chain broke where it was reorganised under a range', async () => {
    const node = nodeAt([tape().url], { maxBatch: 3, maxConcurrency: 1 })
    const taken: NodeBlock[] = []
    const walk = async () => {
      for await (const block of node.blocks({ from: 70, to: HEAD })) {
        taken.push(block)
        if (taken.length === 3) await tape().control({ reorg: { depth: 28 } })
      }
    }
    await expect(walk()).rejects.toThrow(BrokenChain)
    expect(taken.length).toBeLessThan(30)
  })

  test('the node answers many calls in order, refusals among them', async () => {
    const flaky = await proxied({
      refuse: (method, [at]) =>
        method === 'eth_getBalance' && at === '0x7' ? { code: -32602, message: 'invalid address' } : undefined,
      rewrite: (method, result, [at]) => (method === 'eth_getBalance' ? at : result),
    })
    await tape().control({ fault: { kind: '500', p: 0.05 } })
    const node = nodeAt([flaky.url], { maxBatch: 4 })
    const calls = Array.from({ length: 40 }, (_, i) => ({ method: 'eth_getBalance', params: [`0x${i.toString(16)}`] }))
    const answers = await node.batch(calls)
    expect(answers.map((answer) => (answer.type === 'result' ? answer.result : answer.message))).toEqual(
      calls.map((_, i) => (i === 7 ? 'invalid address' : `0x${i.toString(16)}`)),
    )
    await expect(node.call('eth_getBalance', ['0x7'])).rejects.toThrow('invalid address')
  })

  test('the node asks less at a time where an answer is larger than allowed', async () => {
    const node = nodeAt([tape().url], { maxResponseBytes: 150_000 })
    expect(await fingerprint(node)).toBe(truth())
    expect(node.status()[0]!.pace.batch).toBeLessThan(30)
    const tiny = nodeAt([tape().url], { ...GIVES_UP_SOON, maxResponseBytes: 5_000 })
    await expect(tiny.block(5)).rejects.toThrow('over 5000 bytes')
  })

  test('every wait for the node ends with its signal', async () => {
    const port = Number(await freePort())
    const silent = createServer(() => undefined).listen(port, '127.0.0.1')
    await once(silent, 'listening')
    endAfterTest({ stop: () => silent.close() })
    const node = nodeAt([`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}`], { timeoutMs: 60_000 })
    const stop = new AbortController()
    const waits = [
      node.block(1, stop.signal),
      node.call('eth_chainId', [], stop.signal),
      allOf(node.blocks({ from: 1, to: 9 }, stop.signal)),
      node.tagHeights(stop.signal),
    ]
    const heads = allOf(node.heads(stop.signal))
    setTimeout(() => stop.abort(new Error('enough')), 50)
    for (const wait of waits) await expect(wait).rejects.toThrow('enough')
    expect(await heads).toEqual([])
  })

  test('the node counts calls by method and outcome', async () => {
    const counts = new Map<string, number>()
    const node = nodeAt([tape().url], {
      observe: ({ method, outcome }) => {
        counts.set(`${method} ${outcome}`, (counts.get(`${method} ${outcome}`) ?? 0) + 1)
      },
    })
    await allOf(node.blocks({ from: 0, to: 9 }))
    expect(counts.get('eth_getBlockReceipts answered')).toBe(11)
    expect(counts.get('trace_block refused')).toBe(1)
  })

  test('the node follows the head by polling, back as well as forth', async () => {
    await tape().control({ head: 20 })
    const node = nodeAt([tape().url], { pollMs: 20 })
    const stop = new AbortController()
    const seen: number[] = []
    for await (const { height } of node.heads(stop.signal)) {
      seen.push(height)
      if (seen.length === 1) await tape().control({ head: 25 })
      if (seen.length === 2) await tape().control({ head: 22 })
      if (seen.length === 3) stop.abort()
    }
    expect(seen).toEqual([20, 25, 22])
  })
})
