import { describe, expect, test } from 'vitest'
import { wordToHex } from '../chain/bytes/hex.ts'
import { type AskNode, NodeState, type Pin } from './node-state.ts'

function pin(height: number): Pin {
  return { height, hash: wordToHex(BigInt(height)) }
}
const nothing = { accounts: new Map(), wiped: new Set<bigint>(), slots: new Map(), codes: new Map() }
const { signal } = new AbortController()

/** Every account has a byte of code of its own, and nothing in its storage. */
const ask: AskNode = async (calls) =>
  calls.map(({ method, params }) => {
    const result = method === 'eth_getCode' ? `0x${String(params[0]).slice(-2)}` : wordToHex(0n)
    return { type: 'result', result }
  })

describe('the cached state of the node', () => {
  const roomy = { accounts: 10, slots: 10, codeBytes: 10 }

  test.each([
    ['accounts', { accounts: new Set([1n, 2n, 3n]) }, { ...roomy, accounts: 2 }],
    ['slots of one contract', { slots: new Map([[1n, new Set([1n, 2n, 3n])]]) }, { ...roomy, slots: 2 }],
    ['code', { accounts: new Set([1n, 2n, 3n]) }, { ...roomy, codeBytes: 2 }],
  ])('the cached state of the node is too much with too many %s', async (_name, misses, limits) => {
    const state = NodeState.at(pin(1))
    expect(state.isOver(limits)).toBe(false)
    await state.fetch(ask, misses, signal)
    expect([state.isOver(roomy), state.isOver(limits)]).toEqual([false, true])
    expect(state.movedTo(pin(2), nothing).isOver(limits)).toBe(true)
  })

  test('the cached state of the node has the hashes of as many blocks as code can ask for', () => {
    let state = NodeState.at(pin(1_000))
    for (let height = 1_001; height <= 1_400; height++) state = state.movedTo(pin(height), nothing)
    expect([1_400, 1_399, 1_144, 1_143].map((height) => state.blockHash(height))).toEqual([
      1_400n,
      1_399n,
      1_144n,
      undefined,
    ])
  })
})
