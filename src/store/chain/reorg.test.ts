import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { randomChain } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import { dumpAll } from '../../../test/support/dump.ts'
import type { Database } from '../engine/database.ts'
import { rangesStored } from '../read/chain-state.ts'
import { writeChain } from './write.ts'

describe.each(databases)('the index on $engine', ({ engine, open }) => {
  let database: Database
  let fresh: Database
  beforeEach(async () => {
    database = await open()
    fresh = await open()
  })
  afterEach(async () => {
    await database.close()
    await fresh.close()
  })
  const numRuns = engine === 'sqlite' ? 15 : 5

  test('the index is after any reorg what a fresh index of the new chain is, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 149 }), async (seed, fork) => {
        const old = randomChain({ seed, last: 149 })
        const other = randomChain({ seed: seed + 1, first: fork, last: fork + 20 })
        await writeChain(database, { rewindTo: 0, blocks: old })
        await writeChain(database, { rewindTo: fork, blocks: other })
        await writeChain(fresh, { rewindTo: 0, blocks: [...old.slice(0, fork), ...other] })
        expect(await dumpAll(database)).toEqual(await dumpAll(fresh))
      }),
      { numRuns },
    )
  })

  test('the index is empty after everything was taken back', async () => {
    await writeChain(database, { blocks: randomChain({ seed: 5, last: 80 }) })
    await writeChain(database, { rewindTo: 0, blocks: [] })
    expect(await dumpAll(database)).toEqual(await dumpAll(fresh))
  })

  test('the index does not depend on the order and the batches in which blocks came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 100_000 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        async (seed, order) => {
          const chain = randomChain({ seed, last: 49 })
          await writeChain(fresh, { rewindTo: 0, blocks: chain })
          await writeChain(database, { rewindTo: 0, blocks: [] })
          for (const part of order) await writeChain(database, { blocks: chain.slice(part * 10, part * 10 + 10) })
          expect(await dumpAll(database)).toEqual(await dumpAll(fresh))
        },
      ),
      { numRuns },
    )
  })

  test('the index knows which heights it has', async () => {
    const chain = randomChain({ seed: 1, last: 30 })
    await writeChain(database, { blocks: chain.slice(0, 5) })
    await writeChain(database, { blocks: chain.slice(20, 31) })
    expect(await rangesStored(database)).toEqual([
      { firstHeight: 0, lastHeight: 4 },
      { firstHeight: 20, lastHeight: 30 },
    ])
    await writeChain(database, { rewindTo: 25, blocks: chain.slice(5, 20) })
    expect(await rangesStored(database)).toEqual([{ firstHeight: 0, lastHeight: 24 }])
  })

  test('the index keeps nothing of a batch that fails', async () => {
    const chain = randomChain({ seed: 2, last: 10 })
    await writeChain(database, { blocks: chain.slice(0, 5) })
    const before = await dumpAll(database)
    await expect(writeChain(database, { rewindTo: 3, blocks: [...chain.slice(3), chain[10]!] })).rejects.toThrow()
    expect(await dumpAll(database)).toEqual(before)
  })
})
