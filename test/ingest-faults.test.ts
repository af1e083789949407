// What may happen to an index while it is made: it is killed at any instant, its node lies, stalls and breaks off, the chain turns out to be
// another one. In the end it is what an index is that nothing happened to.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { openDatabase } from '../src/store/open.ts'
import { databases } from './support/databases.ts'
import { dumpAll } from './support/dump.ts'
import { startIndexer } from './support/ingest.ts'
import { hasTape, RECORDED_CHAIN, startTape, type Tape } from './support/tape.ts'

const HEAD = 250
const SLOW = 300_000
const options = { balanceSamples: 0 }
const program = fileURLToPath(new URL('./support/index-until-killed.ts', import.meta.url))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let tape: Tape
beforeAll(async () => {
  if (hasTape) tape = await startTape(beginningOfTape())
})
afterAll(() => tape?.stop())

/** A reorg seals every block after it anew, so a short chain is a fast one. */
function beginningOfTape(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'firstlight-tape-')), 'chain.jsonl')
  const lines = gunzipSync(readFileSync(RECORDED_CHAIN)).toString().split('\n')
  writeFileSync(file, lines.slice(0, HEAD + 1).join('\n'))
  return file
}

const headHash = async () => (await tape.control({})).headHash

const indexToHead = async (database: Database) => {
  const indexer = startIndexer({ url: tape.url, database }, options)
  await indexer.reaches(await headHash())
  await indexer.stop()
}

const expectSame = async (database: Database, again: Database) => {
  const [dump, expected] = [await dumpAll(database), await dumpAll(again)]
  for (const table of Object.keys(expected)) expect(dump[table], table).toEqual(expected[table])
}

describe.runIf(hasTape).each(databases)('an index on $engine', ({ open, place }) => {
  test('killed again and again, in backfill, following and reorg, ends whole', { timeout: SLOW }, async () => {
    await tape.control({ head: 0 })
    const { url, dataDir } = await place()
    const database = await openDatabase({ url, dataDir, onIdleError: () => {} })
    await migrate(database, 0)
    let head = 0
    for (let kills = 0; kills < 9; kills++) {
      const child = spawn(process.execPath, [program, tape.url, dataDir, ...(url ? [url] : [])], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      // It says when it begins; from then on any instant is as good as another.
      await once(child.stdout, 'data')
      await pause(500 * Math.random())
      if (kills % 3 === 2) await tape.control({ reorg: { depth: Math.min(head, 60) } })
      else {
        head = Math.min(HEAD, head + 50)
        await tape.control({ head })
      }
      await pause(300 * Math.random())
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await indexToHead(database)
    const again = await open()
    await indexToHead(again)
    await expectSame(database, again)
    await Promise.all([database.close(), again.close()])
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

  test.each(['429', '500', 'garbage', 'truncate', 'nullReceipts', 'shortReceipts', 'wrongParent', 'badHash'])(
    'answers with %s now and then is indexed all the same',
    { timeout: SLOW },
    async (kind) => {
      const database = await databases[0]!.open()
      const { injected: before } = await tape.control({ fault: { kind, p: 0.2 } })
      await indexToHead(database)
      const { injected } = await tape.control({ fault: null })
      expect(injected).toBeGreaterThan(before)
      await expectSame(database, clean)
      await database.close()
    },
  )
})
