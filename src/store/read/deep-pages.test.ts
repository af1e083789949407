import { describe, expect, test } from 'vitest'
import { ADDRESSES, blockOf, emptyRows, transactionOf } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import { writeChain } from '../chain/write.ts'
import type { Queries } from '../engine/database.ts'
import { type ActivityFilter, addressTransactions } from './activity.ts'
import { createChainReaders, type Reader } from './chain-reader.ts'
import type { Page } from './page.ts'

const [ann, bob] = ADDRESSES as [`0x${string}`, `0x${string}`]
const A_BLOCK = 60
const LIMIT = 21

/** Half of them sent by Ann, all of them hers. */
function blockRows(height: number) {
  return {
    ...emptyRows(blockOf(height, { transactionCount: A_BLOCK })),
    transactions: Array.from({ length: A_BLOCK }, (_, i) =>
      transactionOf(height, i, i % 2 === 0 ? { sender: ann, recipient: bob } : { sender: bob, recipient: ann }),
    ),
  }
}

const filters: Record<string, ActivityFilter> = {
  all: { address: ann },
  'from a height': { address: ann, from: 2 },
  'between heights': { address: ann, from: 1, to: 5 },
  sent: { address: ann, role: 'from' },
  'oldest first': { address: ann, order: 'oldest' },
  'oldest first, to a height': { address: ann, order: 'oldest', to: 4 },
}

describe.each(databases)('deep pages on $engine', ({ open }) => {
  test('a deep page that was read before is found again without an offset, with the same rows', async () => {
    const database = await open()
    await writeChain(database, { blocks: Array.from({ length: 7 }, (_, height) => blockRows(height)) })
    const statements: string[] = []
    const recording: Queries = {
      ...database,
      all: (sql, values) => {
        statements.push(sql)
        return database.all(sql, values)
      },
    }
    const readers = createChainReaders(recording)
    const positions = async (reader: Reader, filter: ActivityFilter, page: Page) =>
      (await addressTransactions(reader, filter, page)).map(({ pos }) => pos)
    const compareAll = async () => {
      const reader = await readers.current()
      for (const [name, filter] of Object.entries(filters)) {
        // One page after another, one of them twice, and pages beyond the end.
        for (const offset of [0, 100, 120, 140, 120, 200, 220, 400, 420, 800]) {
          const page = { limit: LIMIT, offset }
          const found = await positions(reader, filter, page)
          expect(found, `${name} at ${offset}`).toEqual(await positions(database, filter, page))
        }
      }
    }
    await compareAll()
    // Every list now begins elsewhere.
    await writeChain(database, { rewindTo: 6, blocks: [] })
    await compareAll()
    await writeChain(database, { blocks: [blockRows(6), blockRows(7)] })
    await compareAll()
    statements.length = 0
    const reader = await readers.current()
    await positions(reader, filters.all!, { limit: LIMIT, offset: 120 })
    // Another far end does not change which row is at an offset.
    await positions(reader, { address: ann, from: 1 }, { limit: LIMIT, offset: 140 })
    expect(statements.filter((sql) => sql.includes('offset'))).toEqual([])
    await database.close()
  })
})
