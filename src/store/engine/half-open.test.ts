import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/support/databases.ts'
import { startTcpProxy, type TcpProxy, throughProxy } from '../../../test/support/tcp-proxy.ts'
import { DatabaseUnavailable } from '../../lib/database-unavailable.ts'
import * as tables from '../schema/tables.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'

const SLOW = 60_000
const postgres = databases.find(({ engine }) => engine === 'postgres')!

let url: string
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  url = (await postgres.place()).url!
  await migrate(await opened(url), 0)
}, SLOW)
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

async function opened(where: string): Promise<Database> {
  const database = await openDatabase({ url: where, dataDir: '', onIdleError: () => {} })
  closing.push(() => database.close())
  return database
}

async function proxied(): Promise<{ proxy: TcpProxy; database: Database }> {
  const { hostname, port } = new URL(url)
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) })
  closing.push(() => proxy.stop())
  return { proxy, database: await opened(throughProxy(url, proxy)) }
}

// Each of these waits some seconds for silence, so they wait beside each other.
describe.concurrent('a connection to PostgreSQL', () => {
  test('a connection that is half open fails its statement, and the next statement has a new one', {
    timeout: SLOW,
  }, async () => {
    const { proxy, database } = await proxied()
    proxy.swallow('pass')
    await expect(database.all('select 1 as one')).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await database.all('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a connection that becomes half open in the middle of a COPY fails the transaction', {
    timeout: SLOW,
  }, async () => {
    const { proxy, database } = await proxied()
    const copying = database.transaction(async (queries) => {
      await queries.all('select 1')
      proxy.swallow('swallowed')
      await queries.insert(tables.storedRanges, [tables.storedRanges.encode({ firstHeight: 1, lastHeight: 2 })])
    })
    await expect(copying).rejects.toBeInstanceOf(DatabaseUnavailable)
    proxy.heal()
    expect(await database.all('select * from stored_ranges')).toEqual([])
  })

  test('a connection whose server works long on a statement is not dropped', { timeout: SLOW }, async () => {
    const database = await opened(url)
    expect(await database.all<{ one: number }>('select 1 as one, pg_sleep(6)')).toMatchObject([{ one: 1 }])
    expect(database.connections!().lost).toBe(0)
  })

  test('a connection whose process of the server hangs in a statement is given up soon after the longest statement', {
    timeout: SLOW,
  }, async () => {
    const own = (await postgres.place()).url!
    const database = await openDatabase({ url: own, dataDir: '', onIdleError: () => {}, maxStatementMs: 1_000 })
    closing.push(() => database.close())
    const other = await opened(own)
    await migrate(other, 0)
    const reading = other.transaction(async (queries) => {
      await queries.all('lock table stored_ranges in access exclusive mode')
      const waiting = database.all('select * from stored_ranges')
      waiting.catch(() => undefined)
      let pid: number | undefined
      while (pid === undefined) {
        await queries.all('select pg_stat_clear_snapshot()')
        const [row] = await queries.all<{ pid: number }>(
          "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%stored_ranges%' and datname = current_database()",
        )
        pid = row?.pid
      }
      process.kill(pid, 'SIGSTOP')
      closing.push(async () => process.kill(pid, 'SIGCONT'))
      return waiting
    })
    await expect(reading).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(database.connections!()).toEqual({ lost: 1, silentMs: 0 })
    expect(await database.all('select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe.concurrent('the writer lock of PostgreSQL', () => {
  test('a writer whose fencing number is no longer the last one cannot commit', { timeout: SLOW }, async () => {
    const own = (await postgres.place()).url!
    const [writer, other] = [await opened(own), await opened(own)]
    await migrate(writer, 0)
    const lock = await writer.acquireWriterLock()
    await lock!.database.run("insert into chain_notes (name, value) values ('a', '1')")
    await other.run('update writer_lease set fence = fence + 1')
    const late = lock!.database.transaction((queries) => queries.run("update chain_notes set value = '2'"))
    await expect(late).rejects.toThrow('taken over by another process')
    expect(await other.all("select value from chain_notes where name = 'a'")).toEqual([{ value: '1' }])
    await lock!.release()
  })

  test('a writer that is silent in the middle of a transaction is followed by another one and cannot commit', {
    timeout: SLOW,
  }, async () => {
    const { proxy, database: writer } = await proxied()
    const other = await opened(url)
    const lock = await writer.acquireWriterLock()
    const { promise: whenFollowed, resolve: followed } = Promise.withResolvers<void>()
    const late = lock!.database.transaction(async (queries) => {
      await queries.run("insert into chain_notes (name, value) values ('b', '1')")
      proxy.swallow('swallowed')
      await whenFollowed
    })
    late.catch(() => undefined)
    expect(await other.acquireWriterLock()).toBeUndefined()
    expect(other.writer()!.holder).toMatch(new RegExp(`:${process.pid}$`))
    let next: Awaited<ReturnType<Database['acquireWriterLock']>>
    while (next === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      next = await other.acquireWriterLock()
    }
    followed()
    proxy.heal()
    await expect(late).rejects.toBeInstanceOf(Error)
    await next.database.run("insert into chain_notes (name, value) values ('c', '1')")
    expect(await other.all("select name from chain_notes where name in ('b', 'c')")).toEqual([{ name: 'c' }])
    await Promise.all([lock!.release(), next.release()])
  })
})
