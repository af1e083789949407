// What may happen to an index while it is built: it is killed at any instant, its node lies, stalls and breaks off, the chain turns out to be
// another one. In the end it is what an index is that nothing happened to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { databases } from '../support/databases.ts'
import { dumpAll } from '../support/dump.ts'
import { type Indexer, startIndexer } from '../support/indexer.ts'
import { killAgainAndAgain, startIndexing } from '../support/kills.ts'
import { BALANCES_OF_TAPE, expectSameDump } from '../support/same-dump.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { beginningOf, hasTape, RECORDED_CHAIN, startTape, type Tape } from '../support/tape.ts'
import { until } from '../support/until.ts'

const HEAD = 150
const FAULTS_MET = 4
/** So that not one of the receipts of a dozen blocks comes untouched only once in many millions of runs. */
const LIKELY = 0.8
const SLOW = 300_000
const options = { balanceSamples: 0 }
function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

let tape: Tape
beforeAll(async () => {
  // A reorg seals every block after it again, so a short chain is a fast one.
  if (hasTape) tape = await startTape(beginningOf(RECORDED_CHAIN, HEAD + 1))
})
afterAll(() => tape?.stop())

async function headHash() {
  return (await tape.control({})).headHash
}

async function indexToHead(database: Database) {
  const indexer = startIndexer({ url: tape.url, database }, options)
  await indexer.reaches(await headHash())
  await indexer.stop()
}

/** Both engines hold the same. */
async function untouched() {
  const again = await databases[0]!.open()
  await indexToHead(again)
  const dump = await dumpAll(again)
  await again.close()
  return dump
}

describe.runIf(hasTape).each(databases)('an index on $engine', ({ open, place }) => {
  test('an index that is killed again and again, in backfill, following and reorg, ends whole', {
    timeout: SLOW,
  }, async () => {
    const where = await place()
    const database = await openDatabase({ ...where, onIdleError: () => {} })
    await migrate(database, 0)
    await killAgainAndAgain({ tape, lastHeight: HEAD, kills: 6, start: () => startIndexing(tape.url, where) })
    await indexToHead(database)
    expectSameDump(await dumpAll(database), await untouched(), BALANCES_OF_TAPE)
    await database.close()
  })

  test('an index that is killed while it follows the head above a gap ends whole', { timeout: SLOW }, async () => {
    const where = await place()
    const database = await openDatabase({ ...where, onIdleError: () => {} })
    await migrate(database, 0)
    await killAgainAndAgain({ tape, lastHeight: HEAD, kills: 3, start: () => startIndexing(tape.url, where, 40) })
    await indexToHead(database)
    // The tape says that everybody has nothing at any time, so that what is above a gap begins with nothing.
    expectSameDump(await dumpAll(database), await untouched(), BALANCES_OF_TAPE)
    await database.close()
  })

  test('an index whose first block is on another branch stops and says what to do', { timeout: SLOW }, async () => {
    await tape.control({ head: 120 })
    const database = await open()
    const indexer = startIndexer({ url: tape.url, database }, { ...options, startHeight: 110 })
    await indexer.reaches(await headHash())
    await tape.control({ reorg: { depth: 30 } })
    await expect(indexer.ended).rejects.toThrow('firstlight resync')
    await database.close()
  })
})

describe.runIf(hasTape)('faults of a node', () => {
  const STEP = 12
  let database: Database
  let indexer: Indexer
  /** A process of its own on the same file, as whoever reads has it. */
  let api: TestServer
  let head = 0

  beforeAll(async () => {
    await tape.control({ head })
    const where = await databases[0]!.place()
    database = await openDatabase({ ...where, onIdleError: () => {} })
    await migrate(database, 0)
    indexer = startIndexer({ url: tape.url, database, timeoutMs: 400 }, options)
    await indexer.reaches(await headHash())
    const environment = { ROLES: 'api', RPC_URL: tape.url, AUTH: 'off', RATE_LIMIT_IP: '0' }
    api = await startTestServer(environment, { dataDir: where.dataDir, keepData: true })
  }, SLOW)
  afterAll(async () => {
    await api?.stop()
    await indexer?.stop()
    await database?.close()
  })

  const newestBlock = async (): Promise<string | undefined> => {
    const response = await fetch(`${api.url}/api/v5/chain/block/block-list?chainShortName=DEV`)
    const { code, data } = (await response.json()) as { code: string; data: { blockList: { hash: string }[] }[] }
    expect([response.status, code]).toEqual([200, '0'])
    return data[0]?.blockList[0]?.hash
  }

  /** Whoever reads meanwhile does not notice, and sees the tip in the end. */
  const readUntil = async (end: Promise<unknown>, tip: string): Promise<void> => {
    let isOver = false
    const ended = end.finally(() => {
      isOver = true
    })
    ended.catch(() => undefined)
    let reads = 0
    for (; !isOver; reads++) {
      await newestBlock()
      await pause(20)
    }
    await ended
    expect(reads).toBeGreaterThan(0)
    expect(await newestBlock()).toBe(tip)
  }

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
  ])('a node that answers with %s now and then is indexed all the same', { timeout: SLOW }, async (kind) => {
    const { injected: before } = await tape.control({ fault: { kind, p: LIKELY } })
    head += STEP
    const { headHash: tip } = await tape.control({ head })
    // The head is asked for again and again, so what befalls any request comes; what befalls receipts may be over sooner.
    const isMet = until(
      async () => (await tape.control({})).injected - before,
      (met) => met >= FAULTS_MET || (met > 0 && indexer.progress().indexed === head),
    )
    const reaches = isMet.then(() => tape.control({ fault: null })).then(() => indexer.reaches(tip))
    await readUntil(reaches, tip)
  })

  // The tape's own stale head lies in `eth_blockNumber`, which is never asked for: the head comes with its hash.
  test('a node that reports an earlier head than before takes nothing from the index', { timeout: SLOW }, async () => {
    const tip = await headHash()
    const { reorgs } = indexer.progress()
    await tape.control({ head: head - 50 })
    const hasFallen = until(
      async () => indexer.progress().head,
      (reported) => reported === head - 50,
    )
    await readUntil(
      hasFallen.then(() => pause(200)),
      tip,
    )
    expect(indexer.progress()).toMatchObject({ indexed: head, reorgs, trouble: null })
    await tape.control({ head })
    await indexer.reaches(tip)
  })

  test('a node that had every fault leaves the same index as one that had none', { timeout: SLOW }, async () => {
    expectSameDump(await dumpAll(database), await untouched(), BALANCES_OF_TAPE)
  })
})
