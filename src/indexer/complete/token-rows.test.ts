import { encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { databases } from '../../../test/support/databases.ts'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { RpcCall } from '../../upstream/node/json-rpc.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { createTokenFinder } from './token-rows.ts'

const token: Hex = `0x${'70'.repeat(20)}`
const holder: Hex = `0x${'a1'.repeat(20)}`
const text = encodeAbiParameters([{ type: 'string' }], ['WETH'])
const number = encodeAbiParameters([{ type: 'uint256' }], [18n])
const signal = new AbortController().signal

/** A node whose contracts all answer like tokens, or all refuse. From block 1 on everybody has `balance`. */
function nodeWhere(answers: boolean, balance: bigint) {
  return {
    batch: async (calls: readonly RpcCall[]) =>
      calls.map(({ params: [call, at] }) => {
        const { data } = call as { data: string }
        if (!answers) return { type: 'refused' as const, code: 3, message: 'execution reverted' }
        if (data.startsWith('0x70a08231')) {
          const result = encodeAbiParameters([{ type: 'uint256' }], [at === '0x0' ? 0n : balance])
          return { type: 'result' as const, result }
        }
        return { type: 'result' as const, result: ['0x06fdde03', '0x95d89b41'].includes(data) ? text : number }
      }),
  }
}

function block(height: number, rest: Partial<DerivedBlock>) {
  return {
    block: { height, timestampMs: height },
    tokens: new Map(),
    wrapped: [],
    tokenDeltas: [],
    created: [],
    transactions: [],
    ...rest,
  } as unknown as DerivedBlock
}
function wraps(height: number) {
  return block(height, { wrapped: [{ height, token, address: holder, tokenId: null, delta: 5n }] })
}
function moves(height: number) {
  return block(height, { tokens: new Map([[token, { kind: 20, changesSupply: false }]]) })
}

async function rowsWhere(answers: boolean, blocks: readonly DerivedBlock[], balance = 5n) {
  const database = await databases[0]!.open()
  const rows = await createTokenFinder({ node: nodeWhere(answers, balance), database, genesis: [] }).rowsOf(
    blocks,
    signal,
  )
  await database.close()
  return rows
}

test('a token that wraps before it moves counts from its first wrapping on, also within one batch', async () => {
  const [first, second] = await rowsWhere(true, [wraps(1), moves(2)])
  expect(first).toMatchObject({ tokens: [{ height: 1, symbol: 'WETH', decimals: 18 }], tokenDeltas: [{ delta: 5n }] })
  expect(second).toMatchObject({ tokens: [], tokenDeltas: [] })
})

test('what wraps and does not answer like a token is none until it moves tokens', async () => {
  const [first, second] = await rowsWhere(false, [wraps(1), moves(2)])
  expect(first).toMatchObject({ tokens: [], supplies: [], tokenDeltas: [] })
  expect(second).toMatchObject({ tokens: [{ height: 2, name: null, symbol: null, decimals: null }], supplies: [] })
})

test('a deposit that changes no balance, or another than it says, mints nothing', async () => {
  for (const balance of [0n, 2n]) {
    const [first, second] = await rowsWhere(true, [wraps(1), moves(2)], balance)
    expect(first).toMatchObject({ tokens: [], tokenDeltas: [] })
    expect(second).toMatchObject({ tokens: [{ height: 2 }], tokenDeltas: [] })
  }
})
