import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { openSqlite } from './sqlite.ts'

/** Holds a new file for a while, as another process does that switches it to WAL. */
const HOLDER = `
  const { DatabaseSync } = require('node:sqlite')
  const { parentPort, workerData } = require('node:worker_threads')
  const database = new DatabaseSync(workerData)
  database.exec('begin immediate')
  parentPort.postMessage('holds')
  setTimeout(() => {
    database.exec('commit')
    database.close()
  }, 200)
`

test('a new file that another process holds at this moment is opened once that is over', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'firstlight-sqlite-')), 'new.sqlite')
  const holder = new Worker(HOLDER, { eval: true, workerData: file })
  await once(holder, 'message')
  const database = openSqlite(file)
  expect(await database.all('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }])
  await database.close()
  await holder.terminate()
})
