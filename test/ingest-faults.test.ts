// What may happen to an index while it is made: it is killed at any instant, its node lies, stalls and breaks off, the chain turns out to be
// another one. In the end it is what an index is that nothing happened to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { openDatabase } from '../src/store/open.ts'
import { latestTransactions } from '../src/store/read/transactions.ts'
import { databases } from './support/databases.ts'
import { dumpAll } from './support/dump.ts'
import { startIndexer } from './support/ingest.ts'
import { killAgainAndAgain, startIndexing } from './support/kills.ts'
import { expectSameDump } from './support/same-dump.ts'
import { beginningOf, hasTape, RECORDED_CHAIN, startTape, type Tape } from './support/tape.ts'

const HEAD = 250
const SLOW = 300_000
const options = { balanceSamples: 0 }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let tape: Tape
beforeAll(async () => {
  // A reorg seals every block after it anew, so a short chain is a fast one.
  if (hasTape) tape = await startTape(beginningOf(RECORDED_CHAIN, HEAD + 1))
})
afterAll(() => tape?.stop())

const headHash = async () => (await tape.control({})).headHash

const indexToHead = async (database: Database) => {
  const indexer = startIndexer({ url: tape.url, database }, options)
  await indexer.reaches(await headHash())
  await indexer.stop()
}

describe.runIf(hasTape).each(databases)('an index on $engine', ({ open, place }) => {
  const untouched = async () => {
    const again = await open()
    await indexToHead(again)
    const dump = await dumpAll(again)
    await again.close()
    return dump
  }

  test('killed again and again, in backfill, following and reorg, ends whole', { timeout: SLOW }, async () => {
    const where = await place()
    const database = await openDatabase({ ...where, onIdleError: () => {} })
    await migrate(database, 0)
    await killAgainAndAgain({ tape, lastHeight: HEAD, kills: 9, start: () => startIndexing(tape.url, where) })
    await indexToHead(database)
    expectSameDump(await dumpAll(database), await untouched())
    await database.close()
  })

  test('killed while it follows the head above a gap ends whole', { timeout: SLOW }, async () => {
    const where = await place()
    const database = await openDatabase({ ...where, onIdleError: () => {} })
    await migrate(database, 0)
    await killAgainAndAgain({ tape, lastHeight: HEAD, kills: 6, start: () => startIndexing(tape.url, where, 40) })
    await indexToHead(database)
    // The tape says that everybody has nothing at any time, so that what is above a gap begins with nothing.
    expectSameDump(await dumpAll(database), await untouched(), ['native_balances', 'native_history'])
    await database.close()
  })

  test('whose first block is on another branch stops and says what to do', { timeout: SLOW }, async () => {
    await tape.control({ head: 200 })
    const database = await open()
    const indexer = startIndexer({ url: tape.url, database }, { ...options, startHeight: 190 })
    await indexer.reaches(await headHash())
    await tape.control({ reorg: { depth: 30 } })
    await expect(indexer.ended).rejects.toThrow('firstlight resync')
    await database.close()
  })
})

describe.runIf(hasTape)('a node that', () => {
  let clean: Database
  beforeAll(async () => {
    await tape.control({ head: 60 })
    clean = await databases[0]!.open()
    await indexToHead(clean)
  }, SLOW)
  afterAll(() => clean.close())

  test.each([
    '429',
    '500',
    'garbage',
    'truncate',
    'nullReceipts',
    'shortReceipts',
    'wrongParent',
    'badHash',
    'hang',
    'halfopen',
  ])('answers with %s now and then is indexed all the same', { timeout: SLOW }, async (kind) => {
    const database = await databases[0]!.open()
    const { injected: before } = await tape.control({ fault: { kind, p: 0.2 } })
    const indexer = startIndexer({ url: tape.url, database, timeoutMs: 500 }, options)
    const reading = readsUntil(database, indexer.reaches(await headHash()))
    expect(await reading).toBeGreaterThan(0)
    await indexer.stop()
    const { injected } = await tape.control({ fault: null })
    expect(injected).toBeGreaterThan(before)
    expectSameDump(await dumpAll(database), await dumpAll(clean))
    await database.close()
  })

  test('falls back behind what it told before takes nothing from the index', { timeout: SLOW }, async () => {
    const database = await databases[0]!.open()
    const indexer = startIndexer({ url: tape.url, database }, options)
    const tip = await headHash()
    await indexer.reaches(tip)
    await tape.control({ head: 10 })
    while (indexer.progress().head !== 10) await pause(10)
    await pause(200)
    expect(indexer.progress()).toMatchObject({ indexed: 60, reorgs: 0, trouble: null })
    await tape.control({ head: 60 })
    await indexer.reaches(tip)
    await indexer.stop()
    expectSameDump(await dumpAll(database), await dumpAll(clean))
    await database.close()
  })

  /** Whoever reads does not notice: how often it was read meanwhile. */
  const readsUntil = async (database: Database, end: Promise<void>): Promise<number> => {
    let isOver = false
    const ended = end.finally(() => {
      isOver = true
    })
    let reads = 0
    for (; !isOver; reads++) {
      await latestTransactions(database, { limit: 20 })
      await pause(5)
    }
    await ended
    return reads
  }
})
