// The node client against nodes that offer less than others, and on a chain whose headers cannot be hashed. The recording lies beside the
// repository; where it does not, the tests are skipped.
import { describe, expect, test } from 'vitest'
import { hasTape } from '../../../test/support/tape.ts'
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import type { NodeOptions } from './node.ts'
import type { Bend, Json } from './proxy-for-tests.ts'
import { allOf, fingerprint, GIVES_UP_SOON, HEAD, log, useRecordedNode, withLies } from './recorded-node-for-tests.ts'

describe.runIf(hasTape)('other nodes and chains', () => {
  const { tape, truth, nodeAt, proxied } = useRecordedNode()

  describe('a node that offers less', () => {
    const missing = (...methods: string[]): Bend => ({
      refuse: (method) => (methods.includes(method) ? { code: -32601, message: `no ${method}` } : undefined),
    })

    test('receipts are asked for one by one where the node has no method for a whole block', async () => {
      const poor = await proxied(missing('eth_getBlockReceipts'))
      const node = nodeAt([poor.url])
      expect(await node.probe()).toMatchObject({ receipts: { method: 'eth_getTransactionReceipt' } })
      expect(await fingerprint(node)).toBe(truth())
    })

    test('a block has no traces, and the reason, where the node has no tracer', async () => {
      const poor = await proxied(missing('debug_traceBlockByNumber', 'trace_block'))
      const block = await nodeAt([poor.url]).block(5)
      expect(block).toMatchObject({ traces: null, noTracesReason: expect.stringContaining('neither') })
    })

    test('a block whose state is gone comes without traces after one attempt', async () => {
      const refuse: Bend['refuse'] = (method, params) =>
        method === 'debug_traceBlockByNumber' && params[0] === '0x5'
          ? { code: -32000, message: 'required historical state unavailable' }
          : undefined
      const pruned = await proxied({ refuse })
      const node = nodeAt([pruned.url])
      expect(await node.block(5)).toMatchObject({ traces: null, noTracesReason: expect.stringContaining('historical') })
      expect(pruned.requests.filter((method) => method === 'debug_traceBlockByNumber')).toHaveLength(2)
      expect(await node.block(6)).toMatchObject({ noTracesReason: null })
    })

    test('a block that takes too long to trace comes without traces but with all the rest', async () => {
      const rewrite: Bend['rewrite'] = (method, result, [at]) =>
        method === 'debug_traceBlockByNumber' && at === '0x5' ? new Promise(() => {}) : result
      const slow = await proxied({ rewrite })
      const blocks = await allOf(nodeAt([slow.url], { timeoutMs: 150 }).blocks({ from: 3, to: 8 }))
      expect(blocks.map(({ traces }) => traces !== null)).toEqual([true, true, false, true, true, true])
      expect(blocks[2]!.noTracesReason).toMatch('no answer in time')
    })

    test('calls go one at a time to a node without batches', async () => {
      const single = await proxied({ knowsBatches: false })
      const node = nodeAt([single.url], { maxBatch: 8 })
      expect(await fingerprint(node)).toBe(truth())
    })

    test('safe and finalized are null where the node has no tags', async () => {
      const refuse: Bend['refuse'] = (_, [tag]) =>
        tag === 'safe' || tag === 'finalized' ? { code: -39001, message: `${tag} block not found` } : undefined
      const untagged = await proxied({ refuse })
      expect(await nodeAt([untagged.url]).tagHeights()).toEqual({ safe: null, finalized: null })
      expect(await nodeAt([tape().url]).tagHeights()).toEqual({ safe: HEAD - 64, finalized: HEAD - 64 })
    })
  })

  describe('on a chain whose headers we cannot hash', () => {
    const strange = (hash: Hex): Hex => bytesToHex(keccak256(new TextEncoder().encode(`strange ${hash}`)))
    const estranged = (method: string, result: Json): Json => {
      if (result === null) return null
      if (method === 'eth_getBlockReceipts')
        return result.map((each: Json) => ({ ...each, blockHash: strange(each.blockHash) }))
      if (!/getBlockBy/.test(method)) return result
      return { ...result, mysteryRoot: '0x', hash: strange(result.hash), parentHash: strange(result.parentHash) }
    }

    test('headers that cannot be hashed are reported once, and the rest of the block is checked', async () => {
      const chain = await proxied({ rewrite: estranged })
      const said: string[] = []
      const node = nodeAt([chain.url], { log: logInto(said) })
      const blocks = await allOf(node.blocks({ from: 5, to: 15 }))
      expect(blocks).toHaveLength(11)
      expect(said.filter((each) => each.includes('a shape that we cannot hash'))).toHaveLength(1)
      chain.bend = { rewrite: (method, result) => withLies(estranged(method, result)) }
      await expect(nodeAt([chain.url], GIVES_UP_SOON).block(3)).rejects.toThrow('another sender')
    })

    test('a wrong header is refused once a header of the same shape was right', async () => {
      const liar = await proxied({})
      const said: string[] = []
      const node = nodeAt([liar.url], { ...GIVES_UP_SOON, log: logInto(said) })
      await node.block(3)
      liar.bend = {
        rewrite: (method, result) =>
          /getBlockBy/.test(method) && result ? withStrangeHashes(result, strange) : result,
      }
      await expect(node.block(4)).rejects.toThrow('does not hash')
      expect(said.filter((each) => each.includes('shape'))).toEqual([])
    })
  })
})

function withStrangeHashes(block: Json, strange: (hash: Hex) => Hex): Json {
  return {
    ...block,
    hash: strange(block.hash),
    parentHash: strange(block.parentHash),
  }
}

/** Warnings and worse. */
function logInto(said: string[]): NodeOptions['log'] {
  return new Proxy(log, {
    get: (target, name) =>
      name === 'warn' ? (_: object, message: string) => said.push(message) : Reflect.get(target, name),
  })
}
