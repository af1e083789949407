// A node client on a recorded chain, for tests. The recording lies beside the repository.
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { beginningOf, RECORDED_CHAIN, startTape, type Tape } from '../../../test/support/tape.ts'
import { bytesToHex } from '../../chain/bytes/hex.ts'
import { createLog } from '../../lib/log.ts'
import { createNode, type Node, type NodeOptions } from './node.ts'
import type { NodeBlock } from './node-block.ts'
import { type Bend, type Json, type NodeProxy, startProxy } from './proxy-for-tests.ts'

export const log = createLog({ level: 'silent', pretty: false })
export const LAST = 20
export const HEAD = 99

/** For a node that is to give up: late answers of a busy machine must not be what it gives up over. */
export const GIVES_UP_SOON: Partial<NodeOptions> = { giveUpAfterMs: 2_000, timeoutMs: 20_000 }

/** To be called inside `describe`: starts the recorded chain before its tests, and after each of them ends what it opened. */
export function useRecordedNode() {
  let tape: Tape
  let truth: string
  const open: { close?: () => void; stop?: () => void }[] = []

  const nodeAt = (urls: readonly string[], options: Partial<NodeOptions> = {}): Node => {
    const node = createNode({
      ...{ urls, log, timeoutMs: 300, giveUpAfterMs: 30_000, longestPauseMs: 100, senderSample: Infinity },
      ...options,
    })
    open.push(node)
    return node
  }
  const proxied = async (bend: Bend): Promise<NodeProxy> => {
    const proxy = await startProxy(tape.url, bend)
    open.push(proxy)
    return proxy
  }

  beforeAll(async () => {
    tape = await startTape(beginningOf(RECORDED_CHAIN, HEAD + 1))
    truth = await fingerprint(nodeAt([tape.url]))
  })
  afterEach(async () => {
    await tape.control({ fault: null, latencyMs: 0, head: HEAD })
    for (const each of open.splice(0)) {
      each.close?.()
      each.stop?.()
    }
  })
  afterAll(() => tape.stop())

  const endAfterTest = (each: (typeof open)[number]) => void open.push(each)
  return { tape: () => tape, truth: () => truth, nodeAt, proxied, endAfterTest }
}

export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** One hash over everything that the blocks say. */
export async function fingerprint(node: Node): Promise<string> {
  const hash = createHash('sha256')
  for await (const block of node.blocks({ from: 0, to: LAST })) hash.update(printOf(block))
  return hash.digest('hex')
}

export function printOf(block: NodeBlock): string {
  return JSON.stringify(block, (_, value) => {
    if (typeof value === 'bigint') return `${value}n`
    return value instanceof Uint8Array ? bytesToHex(value) : value
  })
}

/** The lie that no root gives away. */
export function withLies(block: Json): Json {
  return block?.transactions?.map === undefined || typeof block.transactions[0] !== 'object'
    ? block
    : { ...block, transactions: block.transactions.map((each: Json) => ({ ...each, from: `0x${'12'.repeat(20)}` })) }
}
