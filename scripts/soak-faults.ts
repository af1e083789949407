// npm run soak:faults -- [part of a fault's name]
// Takes the database away from a running server in every way that happens, holds the writer still while another server takes over, and takes
// a replica away.
// Each fault must show in /ready within 15 s and be over without a restart; at the end the index is equal to one that never had a fault.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../src/store/engine/migrate.ts'
import { openDatabase } from '../src/store/engine/open.ts'
import { dumpAll } from '../test/support/dump.ts'
import { startIndexer } from '../test/support/indexer.ts'
import { postgresFaults, replicaFaults, type StorageFault } from '../test/support/postgres-faults.ts'
import { BALANCES_OF_TAPE } from '../test/support/same-dump.ts'
import { msUntil, type ServerUnderFaults, startServerUnderFaults } from '../test/support/server-under-faults.ts'
import { beginningOf, hasTape, RECORDED_CHAIN, startTape, type Tape } from '../test/support/tape.ts'
import { startTcpProxy, throughProxy } from '../test/support/tcp-proxy.ts'
import { startPostgres } from './postgres.ts'

const [chosen = ''] = process.argv.slice(2)
const LAST_HEIGHT = 600
const STEP = 30
const NOTICED_WITHIN_MS = 15_000
const RECOVERED_WITHIN_MS = 60_000
/** The fault goes on for a moment after it was noticed, so that retries meet it too. */
const GO_ON_MS = 3_000

if (hasTape) await run()

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-faults-'))
  const postgres = await startPostgres()
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(postgres.url).port) })
  const tape = await startTape(beginningOf(RECORDED_CHAIN, LAST_HEIGHT + 1))
  const replica = await postgres.startReplica()
  const start = (name: string, more: Record<string, string> = {}) =>
    startServerUnderFaults({
      ...more,
      RPC_URL: tape.url,
      DATABASE_URL: throughProxy(postgres.url, proxy),
      DATA_DIR: join(folder, name),
    })
  const servers: ServerUnderFaults[] = []
  try {
    const chain = createChain(tape)
    await chain.grow()
    servers.push(await start('first'))
    await chain.reachedBy(servers[0]!)
    for (const fault of postgresFaults(postgres, proxy)) {
      if (fault.name.includes(chosen)) await meet(fault, servers[0]!, chain)
    }
    if ('writer frozen'.includes(chosen)) {
      servers.push(await start('second'))
      await freezeWriter(servers[0]!, servers[1]!, chain)
    }
    const reader = await start('reader', { DATABASE_READ_URL: replica.url })
    servers.push(reader)
    await chain.reachedBy(reader)
    for (const fault of replicaFaults(replica)) {
      if (fault.name.includes(chosen)) await meet(fault, reader, chain)
    }
    await compare(postgres.url, tape, join(folder, 'clean'))
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await tape.stop()
    await proxy.stop()
    await replica.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Chain = { grow(): Promise<void>; reachedBy(server: ServerUnderFaults): Promise<number> }

function createChain(tape: Tape): Chain {
  let head = 0
  return {
    async grow() {
      head = Math.min(LAST_HEIGHT, head + STEP)
      await tape.control({ head })
    },
    reachedBy: (server) =>
      msUntil(
        'ready at the head',
        async () => (await server.ready())?.ready === true && (await server.indexed()) === head,
        RECOVERED_WITHIN_MS,
      ),
  }
}

async function meet(fault: StorageFault, server: ServerUnderFaults, chain: Chain): Promise<void> {
  await fault.begin()
  await chain.grow()
  const isNoticed = async () => {
    const ready = await server.ready()
    return ready !== undefined && fault.isNoticed(ready)
  }
  const noticedMs = await msUntil(`${fault.name}: noticed`, isNoticed, NOTICED_WITHIN_MS)
  await pause(GO_ON_MS)
  await fault.end()
  const isOver = async () => fault.isPermanent === true || !(await isNoticed())
  const recoveredMs =
    (await msUntil(`${fault.name}: over`, isOver, RECOVERED_WITHIN_MS)) + (await chain.reachedBy(server))
  console.log(`${fault.name}: noticed after ${noticedMs} ms, recovered after ${recoveredMs} ms`)
}

/** The second server takes over, and the first one finds out that it lost the lock when it goes on. */
async function freezeWriter(writer: ServerUnderFaults, second: ServerUnderFaults, chain: Chain): Promise<void> {
  await chain.reachedBy(second)
  writer.signal('SIGSTOP')
  await chain.grow()
  const takenOverMs = await chain.reachedBy(second)
  writer.signal('SIGCONT')
  await chain.grow()
  const recoveredMs = await chain.reachedBy(second)
  console.log(
    `writer frozen: taken over after ${takenOverMs} ms; first one resumed, head reached after ${recoveredMs} ms`,
  )
  await chain.reachedBy(writer)
}

async function compare(url: string, tape: Tape, cleanFolder: string): Promise<void> {
  const database = await openDatabase({ url, dataDir: '', onIdleError: () => {} })
  const clean = await openDatabase({ url: undefined, dataDir: cleanFolder, onIdleError: () => {} })
  await migrate(clean, 0)
  const indexer = startIndexer({ url: tape.url, database: clean }, { balanceSamples: 0 })
  await indexer.reaches((await tape.control({})).headHash)
  await indexer.stop()
  const [dump, expected] = [await dumpAll(database), await dumpAll(clean)]
  const different = Object.keys(expected)
    .filter((table) => !BALANCES_OF_TAPE.includes(table))
    .filter((table) => dump[table]!.join('\n') !== expected[table]!.join('\n'))
  console.log(different.length === 0 ? 'the index is complete' : `DIFFERENT: ${different.join(', ')}`)
  if (different.length > 0) process.exitCode = 1
  await Promise.all([database.close(), clean.close()])
}
