import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../lib/database-unavailable.ts'
import { openSqlite } from './sqlite.ts'

/** Holds a new file for a while, as another process does that switches it to WAL. */
const HOLDER = `
  const { DatabaseSync } = require('node:sqlite')
  const { parentPort, workerData } = require('node:worker_threads')
  const database = new DatabaseSync(workerData)
  database.exec('begin immediate')
  parentPort.postMessage('holds')
  parentPort.on('message', (afterMs) =>
    setTimeout(() => {
      database.exec('commit')
      database.close()
      parentPort.close()
    }, afterMs),
  )
`

function newFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'firstlight-sqlite-')), 'new.sqlite')
}

/** Resolves when the file is held. */
async function hold(file: string): Promise<Worker> {
  const holder = new Worker(HOLDER, { eval: true, workerData: file })
  await once(holder, 'message')
  return holder
}

test('a new file that another process holds at this moment is opened once that is over', async () => {
  const file = newFile()
  const holder = await hold(file)
  // Opening holds up this thread, so the other one must know beforehand when to end.
  holder.postMessage(200)
  const database = openSqlite(file)
  expect(await database.all('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }])
  await database.close()
  await holder.terminate()
})

test('a write to a file that another process holds waits without holding up its thread', async () => {
  const file = newFile()
  const database = openSqlite(file)
  await database.run('create table numbers (number integer)')
  const holder = await hold(file)
  const written = database.run('insert into numbers (number) values (1)')
  // This is sent only if the thread goes on.
  setTimeout(() => holder.postMessage(0), 50)
  expect(await written).toBe(1)
  await database.close()
})

test('a file that another process holds for too long is unavailable, and can be written to afterwards', {
  timeout: 30_000,
}, async () => {
  const file = newFile()
  const database = openSqlite(file)
  await database.run('create table numbers (number integer)')
  const holder = await hold(file)
  const writing = database.transaction((queries) => queries.run('insert into numbers (number) values (1)'))
  const error = await writing.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DatabaseUnavailable)
  expect(error).toMatchObject({ problem: 'locked', message: expect.stringContaining('locked the SQLite file') })
  holder.postMessage(0)
  await once(holder, 'exit')
  expect(await database.run('insert into numbers (number) values (2)')).toBe(1)
  await database.close()
})

test('a process that waits for the writer lock sees who has it and how old its last renewal is', async () => {
  const file = newFile()
  const [writer, waiting] = [openSqlite(file), openSqlite(file)]
  const lock = await writer.acquireWriterLock()
  expect(await waiting.acquireWriterLock()).toBeUndefined()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(waiting.writer()!.holder).toMatch(new RegExp(`:${process.pid}$`))
  expect(waiting.writer()!.renewalAgeMs).toBeGreaterThan(0)
  await lock!.release()
  await (await waiting.acquireWriterLock())!.release()
  expect(waiting.writer()).toBeUndefined()
  await Promise.all([writer.close(), waiting.close()])
})
