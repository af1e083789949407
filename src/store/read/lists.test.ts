import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChainList } from '../../../test/support/chain-list-rows.ts'
import { listsOf } from '../../../test/support/chain-lists.ts'
import { randomChain } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import { writeChain } from '../chain/write.ts'
import type { Database } from '../engine/database.ts'

describe.each(databases)('the lists on $engine', ({ engine, open }) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
  })
  afterEach(() => database.close())

  test('the lists are complete and disjoint page by page and by cursor, and as long as their totals say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 9 }), async (seed, limit) => {
        const chain = randomChain({ seed, last: 25 })
        await writeChain(database, { rewindTo: 0, blocks: chain })
        for (const list of listsOf(chain)) {
          const expected = list.expected(chain)
          expect(await walkByPage(database, list, limit), list.name).toEqual(expected)
          expect(await walkByCursor(database, list, limit), list.name).toEqual(expected)
          if (list.count) expect(await list.count(database), `count of ${list.name}`).toBe(expected.length)
        }
      }),
      { numRuns: engine === 'sqlite' ? 25 : 6 },
    )
  })
})

async function walkByPage(database: Database, { read, keyOf }: ChainList, limit: number): Promise<unknown[]> {
  const keys: unknown[] = []
  for (;;) {
    const rows = await read(database, { limit, offset: keys.length })
    keys.push(...rows.map(keyOf))
    if (rows.length < limit) return keys
  }
}

async function walkByCursor(database: Database, { read, keyOf }: ChainList, limit: number): Promise<unknown[]> {
  const keys: unknown[] = []
  for (;;) {
    const rows = await read(database, { limit, beyond: keys.at(-1) })
    keys.push(...rows.map(keyOf))
    if (rows.length < limit) return keys
  }
}
