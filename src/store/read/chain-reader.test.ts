import { describe, expect, test } from 'vitest'
import { ADDRESSES, randomChain, TOKENS } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import { writeChain } from '../chain/write.ts'
import type { Queries } from '../engine/database.ts'
import { addressInternals, addressTransactions, addressTransfers, countActivity } from './activity.ts'
import { memoryOf, withMemory } from './chain-reader.ts'
import { contractsAmong } from './contracts.ts'
import { chainState } from './head.ts'
import { countNativeHolders } from './native-balances.ts'
import { countTransactions, latestTransactions } from './transactions.ts'

const HIGHEST = 40

/** Everything that is remembered, in pages that overlap. */
async function readAll(queries: Queries) {
  await chainState(queries)
  const lists = await Promise.all(
    ADDRESSES.flatMap((address) => [
      addressTransactions(queries, { address }, { limit: 10 }),
      addressTransactions(queries, { address }, { limit: 10, offset: 5 }),
      addressInternals(queries, { address }, { limit: 10 }),
      addressTransfers(queries, { address, kind: 20 }, { limit: 10 }),
      countActivity(queries, { address, kind: 'transaction' }),
      countActivity(queries, { address, kind: 'transaction' }, 7),
    ]),
  )
  const created = Array.from({ length: 50 }, (_, i) => `0x${(0xc0000 + i * 7).toString(16).padStart(40, '0')}` as const)
  return {
    lists,
    latest: await latestTransactions(queries, { limit: 30 }),
    counts: [await countTransactions(queries, 5), await countNativeHolders(queries, 3)],
    contracts: await contractsAmong(queries, [...ADDRESSES, ...TOKENS.map(({ address }) => address), ...created]),
  }
}

describe.each(databases)('what a reader remembers on $engine', ({ open }) => {
  test('never differs from what is stored, whatever is added, taken back or filled in below', async () => {
    const database = await open()
    const remembering = withMemory(database)
    await writeChain(database, { blocks: randomChain({ seed: 1, first: 20, last: HIGHEST }) })
    const changes = [
      // At the head, then below, then another end of the chain, then the same one again.
      { blocks: randomChain({ seed: 1, first: HIGHEST + 1, last: HIGHEST + 3 }) },
      { blocks: randomChain({ seed: 1, first: 0, last: 19 }) },
      { rewindTo: 30, blocks: randomChain({ seed: 2, first: 30, last: HIGHEST }) },
      { rewindTo: 30, blocks: randomChain({ seed: 2, first: 30, last: HIGHEST + 5 }) },
      { rewindTo: 5, blocks: [] },
      { blocks: randomChain({ seed: 3, first: 5, last: 12 }) },
    ]
    for (const change of changes) {
      // Twice, so that the second answer is from memory.
      for (let i = 0; i < 2; i++) expect(await readAll(remembering)).toEqual(await readAll(database))
      await writeChain(database, change)
    }
    expect(await readAll(remembering)).toEqual(await readAll(database))
    await database.close()
  })

  test('is kept while the chain only grows, and forgotten when its head goes', async () => {
    const database = await open()
    const remembering = withMemory(database)
    await writeChain(database, { blocks: randomChain({ seed: 1, last: 10 }) })
    await readAll(remembering)
    const { lasting } = memoryOf(remembering)!
    const [row] = await latestTransactions(remembering, { limit: 1 })
    await writeChain(database, { blocks: randomChain({ seed: 1, first: 11, last: 12 }) })
    await chainState(remembering)
    expect(memoryOf(remembering)!.lasting).toBe(lasting)
    expect(lasting.rowsOf('transactions').get(row!.pos)).toBe(row)
    await writeChain(database, { rewindTo: 12, blocks: randomChain({ seed: 4, first: 12, last: 12 }) })
    await chainState(remembering)
    expect(memoryOf(remembering)!.lasting).not.toBe(lasting)
    await database.close()
  })
})
