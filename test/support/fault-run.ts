// A server that indexes a recorded chain while faults happen to it: each must show in /ready in time and be over without a restart, and in the
// end the index is equal to one that never had a fault.
import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { dumpAll } from './dump.ts'
import { startIndexer } from './indexer.ts'
import type { StorageFault } from './postgres-faults.ts'
import { BALANCES_OF_TAPE } from './same-dump.ts'
import { msUntil, type Ready, type ServerUnderFaults } from './server-under-faults.ts'
import type { Tape } from './tape.ts'

export const LAST_HEIGHT = 900
const STEP = 30
export const NOTICED_WITHIN_MS = 15_000
export const RECOVERED_WITHIN_MS = 60_000
/** The fault goes on for a moment after it was noticed, so that retries meet it too. */
export const GO_ON_MS = 3_000

export type GrowingChain = { grow(): Promise<void>; reachedBy(server: ServerUnderFaults): Promise<number> }

export function createGrowingChain(tape: Tape): GrowingChain {
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

/** Prints what it took to notice the fault, in what words, and to be over it. */
export async function meet(fault: StorageFault, server: ServerUnderFaults, chain: GrowingChain): Promise<void> {
  await fault.begin()
  await chain.grow()
  let words = ''
  const isNoticed = async () => {
    const ready = await server.ready()
    if (ready === undefined || !fault.isNoticed(ready)) return false
    words ||= wordsOf(ready)
    return true
  }
  const noticedMs = await msUntil(`${fault.name}: noticed`, isNoticed, NOTICED_WITHIN_MS)
  await pause(GO_ON_MS)
  await fault.end()
  const isOver = async () => fault.isPermanent === true || !(await isNoticed())
  const recoveredMs =
    (await msUntil(`${fault.name}: over`, isOver, RECOVERED_WITHIN_MS)) + (await chain.reachedBy(server))
  console.log(`${fault.name}: noticed after ${noticedMs} ms (${words}), recovered after ${recoveredMs} ms`)
}

export function wordsOf({ reasons, warnings }: Ready): string {
  return [...reasons, ...warnings].join('; ').slice(0, 160)
}

export async function compareWithFresh(
  place: { url: string | undefined; dataDir: string },
  tape: Tape,
  cleanFolder: string,
): Promise<void> {
  const database = await openDatabase({ ...place, onIdleError: () => {} })
  const clean = await openDatabase({ url: undefined, dataDir: cleanFolder, onIdleError: () => {} })
  await migrate(clean, 0)
  const indexer = startIndexer({ url: tape.url, database: clean }, { balanceSamples: 0 })
  await indexer.reaches((await tape.control({})).headHash)
  await indexer.stop()
  const [dump, expected] = [await dumpAll(database), await dumpAll(clean)]
  const different = Object.keys(expected)
    .filter((table) => !BALANCES_OF_TAPE.includes(table))
    .filter((table) => dump[table]!.join('\n') !== expected[table]!.join('\n'))
  console.log(
    different.length === 0
      ? `${database.engine}: the index is equal to a fresh one`
      : `${database.engine} DIFFERENT: ${different.join(', ')}`,
  )
  if (different.length > 0) process.exitCode = 1
  await Promise.all([database.close(), clean.close()])
}
