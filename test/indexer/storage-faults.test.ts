// What may happen below an index: the disk is full, the database server goes away, the writer's session is ended. Reads go on where they
// can, /status says what is wrong, and in the end nothing is lost and nothing is double.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../../scripts/postgres.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { databases } from '../support/databases.ts'
import { dumpAll } from '../support/dump.ts'
import { startIndexer } from '../support/indexer.ts'
import { BALANCES_OF_TAPE, expectSameDump } from '../support/same-dump.ts'
import { startTestServer } from '../support/server.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { beginningOf, hasTape, RECORDED_CHAIN, startTape, type Tape } from '../support/tape.ts'

const HEAD = 250
const SLOW = 180_000
const options = { balanceSamples: 0 }
function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

let tape: Tape
let expected: Record<string, string[]>
let tip: string
beforeAll(async () => {
  if (!hasTape) return
  tape = await startTape(beginningOf(RECORDED_CHAIN, HEAD + 1))
  tip = (await tape.control({})).headHash
  const clean = await databases[0]!.open()
  const indexer = startIndexer({ url: tape.url, database: clean }, options)
  await indexer.reaches(tip)
  await indexer.stop()
  expected = await dumpAll(clean)
  await clean.close()
}, SLOW)
afterAll(() => tape?.stop())

async function until(what: string, isSo: () => Promise<boolean>) {
  for (const giveUpMs = Date.now() + SLOW / 2; !(await isSo()); await pause(50)) {
    if (Date.now() > giveUpMs) throw new Error(`${what}: not in time`)
  }
}

const disk = hasTape ? mountSmallDisk(3) : undefined
afterAll(() => disk?.remove())

test.runIf(disk)(
  'a full disk stops the index, not its readers, until there is room again',
  { timeout: SLOW },
  async () => {
    const { folder, grow } = disk!
    await tape.control({ head: 10 })
    const server = await startTestServer(
      { ROLES: 'indexer,api', RPC_URL: tape.url, BALANCE_SAMPLES: '0', AUTH: 'off', RATE_LIMIT_IP: '0' },
      { dataDir: folder, keepData: true },
    )
    const status = async () => (await (await fetch(`${server.url}/status`)).json()) as Status
    const blocks = async () => {
      const response = await fetch(`${server.url}/api/v5/chain/block/block-list?chainShortName=DEV`)
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    await until('the first blocks', async () => (await status()).heights.indexed === 10)
    await tape.control({ head: HEAD })
    await until('the error', async () => (await status()).index.trouble !== null)
    expect((await status()).index).toMatchObject({ state: 'in trouble', trouble: expect.stringMatching(/full/) })
    expect(await (await fetch(`${server.url}/ready`)).text()).toMatch(/full/)
    expect(await blocks()).toEqual([200, '0'])

    grow(300)
    await until('the head', async () => {
      expect(await blocks()).toEqual([200, '0'])
      const { heights, index } = await status()
      return heights.indexed === HEAD && index.trouble === null
    })
    await server.stop()
    const database = await openDatabase({ url: undefined, dataDir: folder, onIdleError: () => {} })
    expectSameDump(await dumpAll(database), expected, BALANCES_OF_TAPE)
    await database.close()
  },
)

type Status = { heights: { indexed: number }; index: { state: string; trouble: string | null } }

describe.runIf(hasTape)('an index on PostgreSQL', () => {
  test('an index on PostgreSQL goes on where it was when the server comes back', { timeout: SLOW }, async () => {
    const postgres = await startPostgres()
    const database = await openDatabase({ url: postgres.url, dataDir: '', onIdleError: () => {} })
    await migrate(database, 0)
    await tape.control({ head: 100 })
    const indexer = startIndexer({ url: tape.url, database }, options)
    await until('the beginning', async () => (indexer.progress().indexed ?? 0) > 0)
    await postgres.pause()
    // Whatever it had written by then, there is more to write.
    await tape.control({ head: HEAD })
    await until('the error', async () => indexer.progress().trouble !== null)
    await postgres.resume()
    await until('the head', async () => indexer.progress().indexed === HEAD && indexer.progress().trouble === null)
    await indexer.stop()
    expectSameDump(await dumpAll(database), expected, BALANCES_OF_TAPE)
    await database.close()
    await postgres.stop()
  })

  test('an index on PostgreSQL whose session with the lock is ended writes nothing more before it has the lock again', {
    timeout: SLOW,
  }, async () => {
    await tape.control({ head: 50 })
    const { url, dataDir } = await databases[1]!.place()
    const [database, other] = await Promise.all([1, 2].map(() => openDatabase({ url, dataDir, onIdleError: () => {} })))
    await migrate(database!, 0)
    const indexer = startIndexer({ url: tape.url, database: database! }, options)
    await until('the beginning', async () => indexer.progress().indexed === 50)
    await endWriter(other!)
    let writerLock = await other!.acquireWriterLock()
    for (; writerLock === undefined; writerLock = await other!.acquireWriterLock()) await endWriter(other!)
    await tape.control({ head: HEAD })
    await until('the wait', async () => indexer.progress().state === 'waiting for another writer')
    await pause(300)
    expect(await heightIn(other!)).toBe(50)
    await writerLock.release()
    await until('the head', async () => indexer.progress().indexed === HEAD)
    await indexer.stop()
    expectSameDump(await dumpAll(database!), expected, BALANCES_OF_TAPE)
    await Promise.all([database!.close(), other!.close()])
  })
})

function endWriter(database: Database) {
  return database.all(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())",
  )
}

async function heightIn(database: Database): Promise<number> {
  return (await database.all<{ height: number }>('select max(height) as height from blocks'))[0]!.height
}
