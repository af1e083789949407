import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../test/support/databases.ts'
import type { Hex } from '../chain/bytes/hex.ts'
import { setReadBalances } from '../store/chain/native-repair.ts'
import type { Database } from '../store/engine/database.ts'
import { createChainReaders } from '../store/read/chain-reader.ts'
import { shownBalances } from './native-balances.ts'
import type { ChainContext, NodeBalances } from './state/chain-context.ts'

const [known, unknown]: [Hex, Hex] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
let database: Database
beforeAll(async () => {
  database = await databases[0]!.open()
  await setReadBalances(database, [{ address: known, balance: 5n }], 3)
})
afterAll(() => database.close())

/** An index without a genesis file, which cannot say who has nothing. */
async function shown(balances: NodeBalances | undefined) {
  const reader = await createChainReaders(database).current()
  const chain = { reader, heads: { latest: 9, safe: null, finalized: null }, balances } as unknown as ChainContext
  return Object.fromEntries(await shownBalances(chain, [known, unknown]))
}

test('a balance that nobody knows is not zero, and one that cannot be checked is marked', async () => {
  const silent = { readAt: async () => new Map() }
  const marked = { [known]: { balance: 5n, isExact: false }, [unknown]: { balance: null, isExact: false } }
  expect(await shown(undefined)).toEqual(marked)
  expect(await shown(silent)).toEqual(marked)
})

test('a balance that the index is not sure of is the node’s at the same block', async () => {
  const node: NodeBalances = {
    readAt: async (addresses, height) => new Map(addresses.map((address) => [address, BigInt(height)])),
  }
  expect(await shown(node)).toEqual({
    [known]: { balance: 9n, isExact: true },
    [unknown]: { balance: 9n, isExact: true },
  })
})
