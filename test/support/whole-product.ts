// The whole product as `npm start` has it, all roles in one process, on a devnet that outlives it: the devnet lives here, moves by hand, is
// reorganised on request, and stands still when the index is compared with a fresh one.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { devnetGenesis } from '../../src/app/devnet-part.ts'
import { toQuantity } from '../../src/chain/bytes/hex.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { rpc, startStillDevnet } from './devnet.ts'
import { dumpAll } from './dump.ts'
import { startIndexer } from './indexer.ts'
import { type ServerUnderFaults, startServerUnderFaults } from './server-under-faults.ts'

const FLASHBLOCK_MS = 100
const FLASHBLOCKS_A_BLOCK = 10
const TRANSACTIONS_A_SECOND = 15
const HISTORY_BLOCKS = 20_000
const FRESH_WITHIN_MS = 1_800_000

export type ProductChain = {
  reorg(depth: number): Promise<void>
  /** No more blocks; gives the head. */
  stand(): Promise<{ readonly height: number; readonly hash: string }>
  start(environment: Record<string, string>): Promise<ServerUnderFaults>
  /** Tables in which the index differs from a fresh one. */
  differences(place: { url: string | undefined; dataDir: string }): Promise<string[]>
  stop(): Promise<void>
}

/** `folder` is for files of the run. */
export async function startProductChain(folder: string): Promise<ProductChain> {
  const devnet = await startStillDevnet({
    tps: TRANSACTIONS_A_SECOND,
    blockMs: FLASHBLOCKS_A_BLOCK * FLASHBLOCK_MS,
    flashblockMs: FLASHBLOCK_MS,
    // A fresh index must find the state of every block.
    historyBlocks: HISTORY_BLOCKS,
  })
  const genesis = devnetGenesis()
  const genesisFile = join(folder, 'genesis.json')
  const alloc = Object.fromEntries(
    genesis.map(({ address, balance, hasCode }) => [
      address,
      { balance: toQuantity(balance), code: hasCode ? '0x00' : '0x' },
    ]),
  )
  writeFileSync(genesisFile, JSON.stringify({ config: {}, alloc }))

  const stopping = new AbortController()
  const move = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await rpc(devnet.url, 'devnet_step')
      await pause(FLASHBLOCK_MS)
    }
  }
  const moving = move()
  moving.catch((error) => console.log(`the devnet stands still: ${error.message}`))

  const stand = async (): Promise<{ height: number; hash: string }> => {
    stopping.abort()
    await moving
    const head = await rpc(devnet.url, 'eth_getBlockByNumber', 'latest', false)
    return { height: Number(head.number), hash: head.hash }
  }

  return {
    async reorg(depth) {
      const height = Number(await rpc(devnet.url, 'eth_blockNumber'))
      if (height > 1) await rpc(devnet.url, 'devnet_reorg', toQuantity(Math.min(depth, height - 1)))
    },
    stand,
    start: (environment) =>
      startServerUnderFaults(
        {
          ROLES: 'indexer,api,rpc,relay,verifier,web',
          CHAIN_SHORT_NAME: 'DEV',
          RPC_URL: devnet.url,
          FLASHBLOCKS_ENABLED: 'true',
          FLASHBLOCKS_URL: devnet.feedUrl,
          GENESIS: genesisFile,
          ...environment,
        },
        { command: 'dev' },
      ),
    async differences(place) {
      const { hash } = await stand()
      const database = await openDatabase({ ...place, onIdleError: () => {} })
      const clean = await openDatabase({
        url: undefined,
        dataDir: join(folder, `fresh-${database.engine}`),
        onIdleError: () => {},
      })
      try {
        await migrate(clean, 0)
        const indexer = startIndexer({ url: devnet.url, database: clean }, { genesis, balanceSamples: 0 })
        await indexer.reaches(hash, FRESH_WITHIN_MS)
        await indexer.stop()
        const [dump, expected] = [await dumpAll(database), await dumpAll(clean)]
        return Object.keys(expected).filter((table) => dump[table]!.join('\n') !== expected[table]!.join('\n'))
      } finally {
        await Promise.all([database.close(), clean.close()])
      }
    },
    async stop() {
      stopping.abort()
      await moving.catch(() => undefined)
      await devnet.stop()
    },
  }
}

export type Visitors = {
  readonly counts: { answered: number; refused: number; unreachable: number }
  stop(): Promise<void>
}

const VISITS = [
  '/api/v5/chain/block/block-list?chainShortName=DEV',
  '/api/v5/chain/token/token-list?chainShortName=DEV&protocolType=token_20',
  '/blocks',
]
const QUESTIONS = [
  ['eth_getBlockByNumber', 'pending', true],
  ['eth_getBalance', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'pending'],
  ['eth_call', { to: '0x4200000000000000000000000000000000000006', data: '0x18160ddd' }, 'pending'],
]

/** Readers of API, pages and JSON-RPC that go on while nobody answers. */
export function startVisitors(url: string, everyMs: number): Visitors {
  const stopping = new AbortController()
  const counts = { answered: 0, refused: 0, unreachable: 0 }
  const visit = async (turn: number): Promise<Response> => {
    const signal = AbortSignal.timeout(10_000)
    if (turn % 2 === 0) return fetch(url + VISITS[(turn / 2) % VISITS.length], { signal })
    const [method, ...params] = QUESTIONS[((turn - 1) / 2) % QUESTIONS.length]!
    const body = JSON.stringify({ jsonrpc: '2.0', id: turn, method, params })
    return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' }, signal })
  }
  const run = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      try {
        const response = await visit(turn)
        await response.arrayBuffer()
        if (response.ok) counts.answered++
        else counts.refused++
      } catch {
        counts.unreachable++
      }
      await pause(everyMs)
    }
  }
  const running = run()
  return {
    counts,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
