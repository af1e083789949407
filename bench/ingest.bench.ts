// The recorded chain of 2,003 blocks into all tables: blocks per CPU-second, on SQLite and on PostgreSQL counting its CPU too, against what
// fetching and parsing the same answers costs in the same run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../scripts/postgres.ts'
import { toQuantity } from '../src/chain/bytes/hex.ts'
import { runIndexer } from '../src/indexer/indexer.ts'
import { createLog } from '../src/lib/log.ts'
import type { Database } from '../src/store/engine/database.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { openDatabase } from '../src/store/engine/open.ts'
import { createNode } from '../src/upstream/node/node.ts'
import { hasTape, startTape } from '../test/support/tape.ts'
import { type CpuClock, ownCpu, postgresCpu } from './ingest/cpu.ts'

const BATCH = 20
const BLOCKS = 2_003
const log = createLog({ level: 'warn', pretty: false })

if (hasTape) await run()

async function run(): Promise<void> {
  const tape = await startTape()
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-bench-'))
  const postgres = await startPostgres()
  try {
    const limit = await blocksPerSecond(ownCpu, () => fetchAndParse(tape.url))
    show('fetch and parse alone', limit, limit)
    show('fetched and checked', await blocksPerSecond(ownCpu, () => fetchAndCheck(tape.url)), limit)
    const places = [undefined, postgres.url]
    for (const url of places) {
      const database = await openDatabase({ url, dataDir: folder, onIdleError: () => {} })
      await migrate(database, 0)
      const cpu = url === undefined ? ownCpu : await bothCpu(database)
      show(`indexed, ${database.engine}`, await blocksPerSecond(cpu, () => index(tape.url, database)), limit)
      await database.close()
    }
  } finally {
    await postgres.stop()
    await tape.stop()
    rmSync(folder, { recursive: true })
  }
}

function show(what: string, rate: number, limit: number): void {
  const share = (rate / limit).toFixed(3)
  console.log(`${what.padEnd(24)} ${rate.toFixed(0).padStart(6)} blocks per CPU-second, ${share} of fetch and parse`)
}

async function blocksPerSecond(cpu: CpuClock, work: () => Promise<void>): Promise<number> {
  const before = cpu()
  await work()
  return BLOCKS / (cpu() - before)
}

async function fetchAndParse(url: string): Promise<void> {
  for (let from = 0; from < BLOCKS; from += BATCH) {
    const calls = Array.from({ length: Math.min(BATCH, BLOCKS - from) }, (_, i) => toQuantity(from + i)).flatMap(
      (at) => [
        { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [at, true] },
        { jsonrpc: '2.0', id: 2, method: 'eth_getBlockReceipts', params: [at] },
      ],
    )
    const headers = { 'content-type': 'application/json' }
    JSON.parse(await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(calls) })).text())
  }
}

async function fetchAndCheck(url: string): Promise<void> {
  const node = createNode({ urls: [url], log })
  let count = 0
  for await (const block of node.blocks({ from: 0, to: BLOCKS - 1 })) count += block.header.number === count ? 1 : 0
  node.close()
  if (count !== BLOCKS) throw new Error(`${count} blocks came`)
}

async function index(url: string, database: Database): Promise<void> {
  const node = createNode({ urls: [url], log })
  const done = new AbortController()
  await runIndexer(
    {
      node,
      database,
      log,
      startHeight: 0,
      balanceSamples: 0,
      tokenReadsPerS: 0,
      genesis: null,
      onProgress: ({ indexed }) => {
        if (indexed === BLOCKS - 1) done.abort()
      },
    },
    done.signal,
  )
  node.close()
}

/** Ours and the server's. */
async function bothCpu(database: Database): Promise<CpuClock> {
  const [row] = await database.all<{ pid: number }>('select pg_backend_pid() as pid')
  const server = postgresCpu(row!.pid)
  return () => ownCpu() + server()
}
