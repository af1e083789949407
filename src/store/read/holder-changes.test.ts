import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ADDRESSES, blockOf, emptyRows, hexOf, randomChain, TOKENS } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import type { Hex } from '../../chain/bytes/hex.ts'
import { writeChain } from '../chain/write.ts'
import type { Database } from '../engine/database.ts'
import { positionOf } from '../schema/position.ts'
import type { BlockRows, TokenDeltaRow } from '../schema/rows.ts'
import { MOST_LOOKED_AT, tokenChangesSince } from './holder-changes.ts'

const DEPOSIT: Hex = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
const [ann, ben] = ADDRESSES as [Hex, Hex]
const token = TOKENS[0]!.address

describe.each(databases)('what holders gained or lost on $engine', ({ open }) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
  })
  afterEach(() => database.close())

  test('what holders gained or lost is the sum of all that changed since, of every kind of token', async () => {
    const chain = randomChain({ seed: 5, last: 40 })
    await writeChain(database, { blocks: chain })
    for (const { address } of TOKENS) {
      for (const from of [0, 7, 40, 41]) {
        const deltas = chain.flatMap(({ tokenDeltas }) => tokenDeltas).filter((row) => row.height >= from)
        const expected = ADDRESSES.map((holder): [Hex, bigint] => [
          holder,
          sum(deltas.filter((row) => row.token === address && row.address === holder)),
        ])
        expect(await tokenChangesSince(database, { token: address, from }, ADDRESSES)).toEqual(new Map(expected))
      }
    }
  })

  test('what holders gained or lost has what a wrapper made without a transfer', async () => {
    await writeChain(database, { blocks: [wrapping(0, [ann]), wrapping(1, [ann, ben]), wrapping(2, [ann])] })
    expect(await tokenChangesSince(database, { token, from: 1 }, [ann, ben])).toEqual(
      new Map([
        [ann, 2n],
        [ben, 1n],
      ]),
    )
  })

  test('what holders gained or lost is not known past a bound, for the holder that moved so much and for no other', async () => {
    const transfers = Array.from({ length: MOST_LOOKED_AT + 1 }, (_, i) => ({
      pos: positionOf(0, i),
      txPos: 0,
      logIndex: i,
      kind: 20 as const,
      token,
      sender: ann,
      recipient: i === 0 ? ben : ann,
      amount: 1n,
      tokenId: null,
    }))
    const tokenDeltas = [deltaOf(0, ann, -1n), deltaOf(0, ben, 1n)]
    await writeChain(database, { blocks: [{ ...emptyRows(blockOf(0)), transfers, tokenDeltas }] })
    expect(await tokenChangesSince(database, { token, from: 0 }, [ann, ben])).toEqual(
      new Map([
        [ann, undefined],
        [ben, 1n],
      ]),
    )
  })

  test('what holders gained or lost is not known of a token that was wrapped too often', async () => {
    await writeChain(database, { blocks: [wrapping(0, new Array(MOST_LOOKED_AT + 1).fill(ben)), wrapping(1, [ann])] })
    expect(await tokenChangesSince(database, { token, from: 0 }, [ann])).toEqual(new Map([[ann, undefined]]))
    expect(await tokenChangesSince(database, { token, from: 1 }, [ann])).toEqual(new Map([[ann, 1n]]))
  })
})

function sum(deltas: readonly TokenDeltaRow[]): bigint {
  return deltas.reduce((total, { delta }) => total + delta, 0n)
}

function deltaOf(height: number, address: Hex, delta: bigint): TokenDeltaRow {
  return {
    height,
    token,
    address,
    tokenId: null,
    delta,
  }
}

/** A block in which each of these wraps one. */
function wrapping(height: number, holders: readonly Hex[]): BlockRows {
  return {
    ...emptyRows(blockOf(height)),
    logs: holders.map((holder, i) => ({
      pos: positionOf(height, i),
      txPos: positionOf(height, 0),
      address: token,
      topic0: DEPOSIT,
      topic1: hexOf(32, BigInt(holder)),
      topic2: null,
      topic3: null,
      data: hexOf(32, 1),
    })),
    tokenDeltas: [...new Set(holders)].map((holder) =>
      deltaOf(height, holder, BigInt(holders.filter((each) => each === holder).length)),
    ),
  }
}
