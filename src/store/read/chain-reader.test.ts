import { describe, expect, test } from 'vitest'
import {
  ADDRESSES,
  blockOf,
  emptyRows,
  hexOf,
  randomChain,
  TOKENS,
  transactionOf,
} from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import type { Hex } from '../../chain/bytes/hex.ts'
import { writeChain } from '../chain/write.ts'
import { addressInternals, addressTransactions, addressTransfers, countActivity } from './activity.ts'
import { createChainReaders, type Reader } from './chain-reader.ts'
import { transactionsAt } from './chain-rows.ts'
import { contractsAmong } from './contracts.ts'
import { countNativeHolders } from './native-balances.ts'
import { countTransactions, latestTransactions } from './transactions.ts'

const HIGHEST = 40

/** Everything that is cached, in pages that overlap. */
async function readAll(reader: Reader) {
  const lists = await Promise.all(
    ADDRESSES.flatMap((address) => [
      addressTransactions(reader, { address }, { limit: 10 }),
      addressTransactions(reader, { address }, { limit: 10, offset: 5 }),
      addressInternals(reader, { address }, { limit: 10 }),
      addressTransfers(reader, { address, kind: 20 }, { limit: 10 }),
      countActivity(reader, { address, kind: 'transaction' }),
      countActivity(reader, { address, kind: 'transaction' }, 7),
    ]),
  )
  const created = Array.from({ length: 50 }, (_, i) => `0x${(0xc0000 + i * 7).toString(16).padStart(40, '0')}` as const)
  return {
    lists,
    latest: await latestTransactions(reader, { limit: 30 }),
    counts: [await countTransactions(reader, 5), await countNativeHolders(reader, 3)],
    contracts: await contractsAmong(reader, [...ADDRESSES, ...TOKENS.map(({ address }) => address), ...created]),
  }
}

/** A block with one transaction, whose hashes show its branch. */
function blockOfBranch(branch: number, height: number) {
  const hash = hexOf(32, BigInt(branch * 1_000 + height))
  return {
    ...emptyRows(blockOf(height, { hash, transactionCount: 1 })),
    transactions: [transactionOf(height, 0, { hash, sender: ADDRESSES[0]!, recipient: ADDRESSES[1]! })],
  }
}

describe.each(databases)('a chain reader on $engine', ({ open }) => {
  test('a chain reader gives what the database has, whatever is added, replaced by a reorg or filled in below', async () => {
    const database = await open()
    const readers = createChainReaders(database)
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
      // Twice, so that the second answer is from the cache.
      for (let i = 0; i < 2; i++) expect(await readAll(await readers.current())).toEqual(await readAll(database))
      await writeChain(database, change)
    }
    expect(await readAll(await readers.current())).toEqual(await readAll(database))
    await database.close()
  })

  test('a chain reader keeps its rows while the chain only grows, and drops them when the head is replaced', async () => {
    const database = await open()
    const readers = createChainReaders(database)
    await writeChain(database, { blocks: randomChain({ seed: 1, last: 10 }) })
    const [row] = await latestTransactions(await readers.current(), { limit: 1 })
    await writeChain(database, { blocks: randomChain({ seed: 1, first: 11, last: 12 }) })
    const grown = await readers.current()
    expect(grown.cache.row('transactions', row!.pos)).toBe(row)
    await writeChain(database, { rewindTo: 12, blocks: randomChain({ seed: 4, first: 12, last: 12 }) })
    const other = await readers.current()
    expect(other.cache.row('transactions', row!.pos)).toBeUndefined()
    await database.close()
  })

  test('a chain reader of an old chain state gives no row of a branch that a reorg removed, and caches none', async () => {
    const database = await open()
    const readers = createChainReaders(database)
    await writeChain(database, { blocks: [0, 1, 2].map((height) => blockOfBranch(1, height)) })
    const old = await readers.current()
    const [row] = await latestTransactions(old, { limit: 1 })
    const hashes = async (reader: Reader): Promise<Hex[]> =>
      (await transactionsAt(reader, [row!.pos])).map(({ hash }) => hash)
    expect(await hashes(old)).toEqual([hexOf(32, 1_002n)])

    await writeChain(database, { rewindTo: 2, blocks: [blockOfBranch(2, 2)] })
    const current = await readers.current()
    expect(await hashes(old)).toEqual([hexOf(32, 2_002n)])
    // A read that began before the reorg and ends after it.
    old.cache.setRow('transactions', row!.pos, row!)
    old.cache.setRecord('transactions', row!.pos, { kind: 'any', record: row!, json: undefined })
    old.cache.setLogText(row!.pos, 'old')
    old.cache.setIsContract(ADDRESSES[0]!, true)
    old.cache.setCount('transactions', 99, true)
    expect(current.cache.row('transactions', row!.pos)).toBeUndefined()
    expect(current.cache.logText(row!.pos)).toBeUndefined()
    expect(current.cache.isContract(ADDRESSES[0]!)).toBeUndefined()
    expect(current.cache.count('transactions')).toBeUndefined()
    expect(await hashes(current)).toEqual([hexOf(32, 2_002n)])
    await database.close()
  })

  test('a chain reader shows counts and records only to the chain state that they were made for', async () => {
    const database = await open()
    const readers = createChainReaders(database)
    await writeChain(database, { blocks: [blockOfBranch(1, 0)] })
    const first = await readers.current()
    const [row] = await latestTransactions(first, { limit: 1 })
    first.cache.setRecord('transactions', row!.pos, { kind: 'any', record: {}, json: undefined })
    first.cache.setCount('growing', 1, false)
    first.cache.setCount('full', 7, true)
    first.cache.setIsContract(ADDRESSES[1]!, false)
    expect(first.cache.record('transactions', row!.pos, 'any')).toBeDefined()
    expect(first.cache.record('transactions', row!.pos, 'another')).toBeUndefined()
    await writeChain(database, { blocks: [blockOfBranch(1, 1)] })
    const { cache } = await readers.current()
    expect(cache.row('transactions', row!.pos)).toBe(row)
    expect(cache.record('transactions', row!.pos, 'any')).toBeUndefined()
    expect([cache.count('growing'), cache.count('full')]).toEqual([undefined, 7])
    expect(cache.isContract(ADDRESSES[1]!)).toBeUndefined()
    await database.close()
  })

  test('a chain reader counts hits, misses, entries and bytes', async () => {
    const database = await open()
    const readers = createChainReaders(database)
    await writeChain(database, { blocks: [blockOfBranch(1, 0)] })
    const { cache } = await readers.current()
    cache.setLogText(1, 'x'.repeat(100))
    cache.setLogText(2, 'x'.repeat(5_000))
    expect([cache.logText(1)?.length, cache.logText(2)]).toEqual([100, undefined])
    expect(readers.figures()).toEqual({ hits: 1, misses: 1, entries: 1, bytes: 100 })
    await database.close()
  })
})
