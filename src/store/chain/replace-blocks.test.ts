import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { randomChain } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import { dumpAll } from '../../../test/support/dump.ts'
import type { Database } from '../engine/database.ts'
import { SchemaMismatch } from '../engine/migrate.ts'
import { chainState, derivationRows } from '../read/chain-state.ts'
import { derivedThings } from '../schema/derivations.ts'
import type { BlockRows } from '../schema/rows.ts'
import { beginDerivingAgain, refuseNewerIndex } from './derivations.ts'
import { nextToDerive, replaceBlocks } from './replace-blocks.ts'
import { writeChain } from './write.ts'

const LAST = 59

/** The same blocks, from which other rows were derived. */
function derivedOtherwise(chain: readonly BlockRows[], seed: number): BlockRows[] {
  return randomChain({ seed, last: LAST }).map((rows, index) => {
    const { hash, parentHash } = chain[index]!.block
    return { ...rows, block: { ...rows.block, hash, parentHash } }
  })
}

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
  const numRuns = engine === 'sqlite' ? 8 : 3

  const writeOld = async (chain: readonly BlockRows[], seed: number): Promise<void> => {
    await writeChain(database, { rewindTo: 0, blocks: derivedOtherwise(chain, seed) })
    await database.run('delete from derivations')
    await beginDerivingAgain(database)
  }

  test('the index is after all blocks were replaced what a fresh index is, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 30 }), async (seed, step) => {
        const chain = randomChain({ seed, last: LAST })
        await writeOld(chain, seed + 1)
        for (let at = 0; at < chain.length; at += step) {
          expect(await replaceBlocks(database, chain.slice(at, at + step))).toBe('replaced')
        }
        await writeChain(fresh, { rewindTo: 0, blocks: chain })
        expect(await dumpAll(database)).toEqual(await dumpAll(fresh))
        expect((await chainState(database)).outdated).toEqual(['token balances'])
      }),
      { numRuns },
    )
  })

  test('a reorg between two replacements begins again below it', async () => {
    const chain = randomChain({ seed: 1, last: LAST })
    const branch = randomChain({ seed: 3, first: 20, last: LAST })
    await writeOld(chain, 2)
    await replaceBlocks(database, chain.slice(0, 40))
    await writeChain(database, { rewindTo: 20, blocks: branch })
    expect(await nextToDerive(database)).toEqual({ from: 20, to: LAST })
    expect(await replaceBlocks(database, chain.slice(20, 40))).toBe('refused')
    expect(await replaceBlocks(database, branch.slice(10))).toBe('refused')
    await replaceBlocks(database, branch)
    await writeChain(fresh, { blocks: [...chain.slice(0, 20), ...branch] })
    expect(await dumpAll(database)).toEqual(await dumpAll(fresh))
  })

  test('blocks that derive to the stored rows are not written', async () => {
    const chain = randomChain({ seed: 4, last: LAST })
    await writeChain(database, { blocks: chain })
    await database.run('delete from derivations')
    expect((await chainState(database)).outdated).toEqual(derivedThings)
    await beginDerivingAgain(database)
    const { repairs } = await chainState(database)
    expect(await replaceBlocks(database, chain)).toBe('same')
    expect(await chainState(database)).toMatchObject({ outdated: ['token balances'], repairs })
  })

  test('a new index is of this version, and one of a newer version is refused', async () => {
    await writeChain(database, { blocks: randomChain({ seed: 5, last: 3 }) })
    expect((await chainState(database)).outdated).toEqual([])
    await refuseNewerIndex(database)
    await database.run(`update derivations set version = 99 where thing = 'native balances'`)
    await expect(refuseNewerIndex(database)).rejects.toThrow(SchemaMismatch)
    await expect(refuseNewerIndex(database)).rejects.toThrow(/newer version of firstlight \(native balances\)/)
    await writeChain(database, { rewindTo: 0, blocks: [] })
    await refuseNewerIndex(database)
    await writeChain(database, { blocks: randomChain({ seed: 5, last: 3 }) })
    expect((await derivationRows(database)).map(({ version }) => version)).toEqual(derivedThings.map(() => 1))
  })
})
