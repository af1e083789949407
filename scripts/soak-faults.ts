// npm run soak:faults -- [part of a fault's name]
// Takes the database away from a running server in every way that happens, on both engines: stopped, killed, frozen, half open, on a full disk,
// locked, read-only; holds the writer still while another server waits; takes a replica away; sets the clock forward and back.
// Each fault must show in /ready within 15 s and be over without a restart; at the end the index is equal to one that never had a fault.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setClockOfProduct } from '../test/support/clock-faults.ts'
import {
  compareWithFresh,
  createGrowingChain,
  type GrowingChain,
  LAST_HEIGHT,
  meet,
  NOTICED_WITHIN_MS,
  wordsOf,
} from '../test/support/fault-run.ts'
import { postgresFaults, replicaFaults } from '../test/support/postgres-faults.ts'
import { msUntil, type ServerUnderFaults, startServerUnderFaults } from '../test/support/server-under-faults.ts'
import { mountSmallDisk } from '../test/support/small-disk.ts'
import { fullDiskOfSqlite, sqliteFaults } from '../test/support/sqlite-faults.ts'
import { beginningOf, hasTape, RECORDED_CHAIN, startTape } from '../test/support/tape.ts'
import { startTcpProxy, throughProxy } from '../test/support/tcp-proxy.ts'
import { startPostgres } from './postgres.ts'

const [chosen = ''] = process.argv.slice(2)
const POSTGRES_DISK_MB = 400
const SQLITE_DISK_MB = 300

const isChosen = (name: string): boolean => name.includes(chosen)
const folder = mkdtempSync(join(tmpdir(), 'firstlight-faults-'))
const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
try {
  if (hasTape && ['PostgreSQL', 'connections', 'backend', 'writer', 'replica'].some((word) => isAbout(word)))
    await onPostgres()
  await closeAll(1)
  if (hasTape && isAbout('SQLite disk full')) await onFullDisk()
  await closeAll(1)
  if (hasTape && ['SQLite file', 'writer'].some((word) => isAbout(word))) {
    const dataDir = join(folder, 'sqlite')
    await onSqlite(dataDir, async (first, chain, start) => {
      for (const fault of sqliteFaults(dataDir)) if (isChosen(fault.name)) await meet(fault, first, chain)
      if (isChosen('writer frozen')) await freezeSqliteWriter(first, await start(), chain)
    })
  }
  await closeAll(1)
  if (isAbout('clock')) await withOtherClocks()
} finally {
  await closeAll(0)
}

/** Without a choice everything is run. */
function isAbout(word: string): boolean {
  return chosen === '' || chosen.includes(word) || word.includes(chosen)
}

async function closeAll(except: number): Promise<void> {
  while (closing.length > except) await closing.pop()!()
}

async function onPostgres(): Promise<void> {
  const disk = mountSmallDisk(POSTGRES_DISK_MB)
  closing.push(() => disk?.remove())
  const postgres = await startPostgres(disk && { within: disk.folder })
  closing.push(postgres.stop)
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(postgres.url).port) })
  closing.push(proxy.stop)
  const tape = await startTape(beginningOf(RECORDED_CHAIN, LAST_HEIGHT + 1))
  closing.push(tape.stop)
  const start = async (name: string, more: Record<string, string> = {}): Promise<ServerUnderFaults> => {
    const own = { RPC_URL: tape.url, DATABASE_URL: throughProxy(postgres.url, proxy), DATA_DIR: join(folder, name) }
    const server = await startServerUnderFaults({ ...more, ...own })
    closing.push(server.stop)
    return server
  }
  const chain = createGrowingChain(tape)
  await chain.grow()
  const first = await start('first')
  await chain.reachedBy(first)
  for (const fault of postgresFaults({ postgres, proxy, disk, poke: first.ready })) {
    if (isChosen(fault.name)) await meet(fault, first, chain)
  }
  if (isChosen('writer frozen')) await freezeWriter(first, await start('second'), chain)
  if (isAbout('replica')) {
    const replica = await postgres.startReplica()
    closing.push(replica.stop)
    const reader = await start('reader', { DATABASE_READ_URL: replica.url })
    await chain.reachedBy(reader)
    for (const fault of replicaFaults(replica)) if (isChosen(fault.name)) await meet(fault, reader, chain)
  }
  await compareWithFresh({ url: postgres.url, dataDir: '' }, tape, join(folder, 'clean'))
}

async function onFullDisk(): Promise<void> {
  const disk = mountSmallDisk(SQLITE_DISK_MB)
  if (disk === undefined) return
  closing.push(disk.remove)
  await onSqlite(join(disk.folder, 'sqlite'), (first, chain) => meet(fullDiskOfSqlite(disk), first, chain))
}

async function onSqlite(
  dataDir: string,
  faults: (first: ServerUnderFaults, chain: GrowingChain, start: () => Promise<ServerUnderFaults>) => Promise<void>,
): Promise<void> {
  const tape = await startTape(beginningOf(RECORDED_CHAIN, LAST_HEIGHT + 1))
  closing.push(tape.stop)
  const start = async (): Promise<ServerUnderFaults> => {
    const server = await startServerUnderFaults({ RPC_URL: tape.url, DATA_DIR: dataDir })
    closing.push(server.stop)
    return server
  }
  const chain = createGrowingChain(tape)
  await chain.grow()
  const first = await start()
  await chain.reachedBy(first)
  await faults(first, chain, start)
  await compareWithFresh({ url: undefined, dataDir }, tape, `${dataDir}-clean`)
}

function untilWriterIsMissed(waiting: ServerUnderFaults): Promise<number> {
  let words = ''
  const isNoticed = async (): Promise<boolean> => {
    const ready = await waiting.ready()
    if (ready === undefined || !/not renewed/.test(wordsOf(ready))) return false
    words = wordsOf(ready)
    return true
  }
  return msUntil('writer frozen: noticed', isNoticed, NOTICED_WITHIN_MS).then((ms) => {
    console.log(`writer frozen: noticed by the waiting server after ${ms} ms (${words})`)
    return ms
  })
}

/** The second server takes over, and the first one finds out that it lost the lock when it goes on. */
async function freezeWriter(writer: ServerUnderFaults, second: ServerUnderFaults, chain: GrowingChain): Promise<void> {
  await chain.reachedBy(second)
  writer.signal('SIGSTOP')
  await chain.grow()
  const noticedMs = await untilWriterIsMissed(second)
  const takenOverMs = noticedMs + (await chain.reachedBy(second))
  writer.signal('SIGCONT')
  await chain.grow()
  const recoveredMs = await chain.reachedBy(second)
  console.log(
    `writer frozen: taken over after ${takenOverMs} ms; first one resumed, head reached after ${recoveredMs} ms`,
  )
  await chain.reachedBy(writer)
}

/** Nobody can take the lock of a file from a process that holds still; the second server says who it is, and follows when it is ended. */
async function freezeSqliteWriter(
  writer: ServerUnderFaults,
  second: ServerUnderFaults,
  chain: GrowingChain,
): Promise<void> {
  await chain.reachedBy(second)
  writer.signal('SIGSTOP')
  await chain.grow()
  await untilWriterIsMissed(second)
  await writer.kill()
  console.log(
    `writer frozen: SQLite, head reached ${await chain.reachedBy(second)} ms after the frozen writer was ended`,
  )
}

async function withOtherClocks(): Promise<void> {
  for (const engine of ['sqlite', 'postgres'] as const) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    if (postgres) closing.push(postgres.stop)
    const own = join(folder, `clock-${engine}`)
    mkdirSync(own)
    await setClockOfProduct({ engine, folder: own, databaseUrl: postgres?.url })
  }
}
