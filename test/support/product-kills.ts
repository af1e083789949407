// Kills the whole product with kill -9 again and again, at moments that nobody chose, while it indexes a chain with reorgs, follows its feed
// and has visitors; then lets it come to the head and compares its index with a fresh one.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { msUntil, type ServerUnderFaults } from './server-under-faults.ts'
import { startProductChain, startVisitors } from './whole-product.ts'

const READ_WITHIN_MS = 180_000
const HEAD_WITHIN_MS = 300_000
const SHORTEST_LIFE_MS = 500
const LONGEST_LIFE_MS = 3_500
const DEEPEST_REORG = 24
const REORG_EVERY = 3

export type ProductKills = {
  readonly kills: number
  readonly reorgs: number
  readonly height: number
  /** From the start of the process to the first list that was answered, sorted. */
  readonly readAfterMs: readonly number[]
  readonly visits: { readonly answered: number; readonly refused: number; readonly unreachable: number }
  readonly differences: readonly string[]
}

export async function killProduct(options: {
  readonly kills: number
  readonly folder: string
  readonly databaseUrl: string | undefined
}): Promise<ProductKills> {
  const { kills, folder, databaseUrl } = options
  const chain = await startProductChain(folder)
  const dataDir = join(folder, 'data')
  const environment = { PORT: await freePort(), DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  const visitors = startVisitors(`http://127.0.0.1:${environment.PORT}`, 100)
  const readAfterMs: number[] = []
  let server: ServerUnderFaults | undefined
  let reorgs = 0
  const start = async (): Promise<ServerUnderFaults> => {
    const started = await chain.start(environment)
    readAfterMs.push(await msUntil('a list is answered', () => isRead(started), READ_WITHIN_MS))
    return started
  }
  try {
    for (let kill = 0; kill < kills; kill++) {
      server = await start()
      // Half of them are killed at any instant, the others after they wrote something, so that the index grows on a slow machine too.
      if (kill % 2 === 0) await hasWritten(server)
      await pause(SHORTEST_LIFE_MS + (LONGEST_LIFE_MS - SHORTEST_LIFE_MS) * Math.random())
      if (kill % REORG_EVERY === REORG_EVERY - 1) {
        await chain.reorg(1 + Math.floor(Math.random() * DEEPEST_REORG))
        reorgs++
        await pause(300 * Math.random())
      }
      await server.kill()
      if (kill % 10 === 9) console.log(`${kill + 1} of ${kills} kills`)
    }
    server = await start()
    await visitors.stop()
    const { height } = await chain.stand()
    const isThere = async () => (await server!.indexed()) === height && (await isRepaired(server!))
    await msUntil('the head is indexed', isThere, HEAD_WITHIN_MS)
    await server.stop()
    server = undefined
    const differences = await chain.differences({ url: databaseUrl, dataDir })
    const sorted = readAfterMs.toSorted((a, b) => a - b)
    return { kills, reorgs, height, readAfterMs: sorted, visits: visitors.counts, differences }
  } finally {
    await server?.kill()
    await visitors.stop()
    await chain.stop()
  }
}

async function hasWritten(server: ServerUnderFaults): Promise<void> {
  const before = await server.indexed()
  await msUntil('a block is written', async () => (await server.indexed()) !== before, HEAD_WITHIN_MS)
}

async function isRead(server: ServerUnderFaults): Promise<boolean> {
  const answer = await json<{ code: string }>(`${server.url}/api/v5/chain/block/block-list?chainShortName=DEV`)
  return answer?.code === '0'
}

/** Nothing waits to be put right in the background. */
async function isRepaired(server: ServerUnderFaults): Promise<boolean> {
  const status = await json<{
    index: { repair: { balances: { unknown: number; state: string }; traces: { blocks: number } } }
  }>(`${server.url}/status`)
  const repair = status?.index.repair
  return repair?.balances.unknown === 0 && repair.traces.blocks === 0
}

async function json<T>(url: string): Promise<T | undefined> {
  try {
    return (await (await fetch(url, { signal: AbortSignal.timeout(8_000) })).json()) as T
  } catch {
    return undefined
  }
}
