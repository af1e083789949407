import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blockOf, emptyRows, transactionOf } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import type { Database, Queries } from '../engine/database.ts'
import { migrate } from '../engine/migrate.ts'
import { openDatabase } from '../engine/open.ts'
import { latestTransactions } from '../read/transactions.ts'
import * as tables from '../schema/tables.ts'
import { writeChain } from './write.ts'

describe.each(databases)('the writer on $engine', ({ place }) => {
  let first: Database
  let second: Database
  beforeEach(async () => {
    const where = { ...(await place()), onIdleError: () => {} }
    first = await openDatabase(where)
    second = await openDatabase(where)
    await migrate(first, 0)
  })
  afterEach(async () => {
    await first.close()
    await second.close()
  })

  test('the writer is one process at a time', async () => {
    const writerLock = await first.acquireWriterLock()
    expect(writerLock).toBeDefined()
    expect(await second.acquireWriterLock()).toBeUndefined()
    await writerLock!.release()
    const taken = await second.acquireWriterLock()
    expect(taken).toBeDefined()
    await taken!.release()
  })

  test('the writer reaches over the borders of partitions', async () => {
    const heights = [0, 2 ** 22 - 1, 2 ** 22, 2 ** 32]
    const blocks = heights.map((height) => ({
      ...emptyRows(blockOf(height)),
      transactions: [transactionOf(height, 0)],
    }))
    for (const block of blocks) await writeChain(first, { blocks: [block] })
    const stored = await latestTransactions(second, { limit: 10 })
    expect(stored.map(({ block }) => block.height)).toEqual(heights.toReversed())
  })

  test('the writer leaves readers what they had until all of it is there', async () => {
    await writeChain(first, { blocks: [emptyRows(blockOf(0))] })
    const blocks = Array.from({ length: 200 }, (_, i) => ({
      ...emptyRows(blockOf(i + 1)),
      transactions: [transactionOf(i + 1, 0)],
    }))
    const written = writeChain(first, { blocks })
    const seen = new Set<number>()
    const watching = (async () => {
      while (!seen.has(200)) {
        const [row] = await second.all<{ count: number }>('select count(*) as count from transactions')
        seen.add(row!.count)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    await Promise.all([written, watching])
    expect([...seen].filter((count) => count !== 0)).toEqual([200])
  })

  test('the writer goes on after a failure in the middle of a transaction', async () => {
    const blocks = [{ ...emptyRows(blockOf(0)), transactions: [transactionOf(0, 0)] }]
    const failing = first.transaction(async (queries) => {
      await queries.insert(tables.blocks, [tables.blocks.encode(blockOf(0))])
      await breakDown[first.engine](queries, second)
      for (let i = 1; i < 1_000; i++) await queries.insert(tables.blocks, [tables.blocks.encode(blockOf(i))])
    })
    await expect(failing).rejects.toThrow(/full|terminat|unavailable|does not answer/)
    if (first.engine === 'sqlite') await first.run('pragma max_page_count = 1000000')
    await writeChain(first, { blocks })
    expect(await latestTransactions(second, { limit: 10 })).toHaveLength(1)
  })
})

/** The disk is full, or the server ends the connection. */
const breakDown: Record<Database['engine'], (queries: Queries, other: Database) => Promise<unknown>> = {
  sqlite: (queries) => queries.all('pragma max_page_count = 1'),
  postgres: async (queries, other) => {
    const [row] = await queries.all<{ pid: number }>('select pg_backend_pid() as pid')
    return other.all('select pg_terminate_backend(cast($1 as integer))', [row!.pid])
  },
}
