// npm run soak:kills -- [kills] [product | recorded] [sqlite | postgres]
// Kills a server with kill -9, by default 50 times on each engine, and checks that the index is equal to one that was never interrupted.
// `product` is everything in one process, as `npm start` has it, on a devnet with reorgs that outlives it, with visitors; `recorded` are indexer
// and API alone, which backfill and follow the recorded chain. Prints how long it took each time until reads were answered again.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { migrate } from '../src/store/engine/migrate.ts'
import { openDatabase } from '../src/store/engine/open.ts'
import { dumpAll } from '../test/support/dump.ts'
import { freePort } from '../test/support/free-port.ts'
import { startIndexer } from '../test/support/indexer.ts'
import { killAgainAndAgain, type Place } from '../test/support/kills.ts'
import { killProduct } from '../test/support/product-kills.ts'
import { beginningOf, hasTape, RECORDED_CHAIN, startTape, type Tape } from '../test/support/tape.ts'
import { startPostgres } from './postgres.ts'

const [kills = '50', chosen, engine] = process.argv.slice(2)
const LAST_HEIGHT = 600
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

if (chosen !== 'recorded') await killProducts()
if (chosen !== 'product' && hasTape) await killOnRecordedChain()

async function killProducts(): Promise<void> {
  const postgres = await startPostgres()
  try {
    for (const databaseUrl of chosenEngines(postgres.url)) {
      const folder = mkdtempSync(join(tmpdir(), 'firstlight-kills-'))
      const run = await killProduct({ kills: Number(kills), folder, databaseUrl })
      const { visits, differences } = run
      console.log(
        `${databaseUrl ? 'postgres' : 'sqlite'}: ${kills} times kill -9 of the whole product, ${run.reorgs} reorgs, ${run.height} blocks, ` +
          `${visits.answered} visits answered, ${visits.refused} refused, ${visits.unreachable} met nobody; ` +
          `${outcomeOf(differences)}; ${readAgain(run.readAfterMs)}`,
      )
      if (differences.length > 0) process.exitCode = 1
      rmSync(folder, { recursive: true, force: true })
    }
  } finally {
    await postgres.stop()
  }
}

/** SQLite has no URL. */
function chosenEngines(postgresUrl: string): (string | undefined)[] {
  if (engine === undefined) return [undefined, postgresUrl]
  return [engine === 'postgres' ? postgresUrl : undefined]
}

function outcomeOf(different: readonly string[]): string {
  return different.length === 0 ? 'the index is equal to a fresh one' : `DIFFERENT: ${different.join(', ')}`
}

/** From times in order. */
function readAgain(sorted: readonly number[]): string {
  const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)]!)
  return `reads answered again after ${at(0.5)} ms (p50), ${at(0.9)} ms (p90), ${at(1)} ms at most`
}

async function killOnRecordedChain(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-kills-'))
  const postgres = await startPostgres()
  try {
    for (const url of chosenEngines(postgres.url)) {
      // Each engine needs its own recording: a reorg changes it permanently.
      const tape = await startTape(beginningOf(RECORDED_CHAIN, LAST_HEIGHT + 1))
      await soak(
        tape,
        { url, dataDir: join(folder, url ? 'postgres' : 'sqlite') },
        join(folder, `clean-${url ? 2 : 1}`),
      )
      await tape.stop()
    }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function soak(tape: Tape, place: Place, cleanFolder: string): Promise<void> {
  const port = await freePort()
  const readyMs: number[] = []
  const start = async () => {
    const startedMs = performance.now()
    const server = spawnServer(tape, place, port)
    await untilRead(server, port)
    readyMs.push(performance.now() - startedMs)
    return server
  }
  await killAgainAndAgain({ tape, lastHeight: LAST_HEIGHT, kills: Number(kills), start })
  const database = await openDatabase({ ...place, onIdleError: () => {} })
  const clean = await openDatabase({ url: undefined, dataDir: cleanFolder, onIdleError: () => {} })
  await migrate(clean, 0)
  const { headHash } = await tape.control({})
  for (const target of [database, clean]) {
    const indexer = startIndexer({ url: tape.url, database: target }, { balanceSamples: 0 })
    await indexer.reaches(headHash)
    await indexer.stop()
  }
  const [dump, expected] = [await dumpAll(database), await dumpAll(clean)]
  const different = Object.keys(expected).filter((table) => dump[table]!.join('\n') !== expected[table]!.join('\n'))
  const times = readAgain(readyMs.toSorted((a, b) => a - b))
  console.log(`${database.engine}: ${kills} times kill -9, ${outcomeOf(different)}; ${times}`)
  if (different.length > 0) process.exitCode = 1
  await Promise.all([database.close(), clean.close()])
}

function spawnServer(tape: Tape, { url, dataDir }: Place, port: string): ChildProcess {
  const environment = {
    RPC_URL: tape.url,
    PORT: port,
    DATA_DIR: dataDir,
    ROLES: 'indexer,api',
    AUTH: 'off',
    BALANCE_SAMPLES: '0',
    RATE_LIMIT_IP: '0',
    LOG_LEVEL: 'error',
    ...(url !== undefined && { DATABASE_URL: url }),
  }
  return spawn(process.execPath, [main, 'start'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Waits until a list is answered, whatever it contains. */
async function untilRead(server: ChildProcess, port: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/v5/chain/block/block-list?chainShortName=eth`
  while (server.exitCode === null) {
    const answer = await fetch(url).then(
      (response) => response.json() as Promise<{ code: string }>,
      () => undefined,
    )
    if (answer?.code === '0') return
    await pause(10)
  }
  throw new Error(`the server ended with code ${server.exitCode}`)
}
