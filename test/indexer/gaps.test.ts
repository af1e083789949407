// An index that follows the head while older blocks are missing, and fills them in beside it: in the end it is what an index is that got
// all blocks in order.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { genesisState } from '../../devnet/genesis/genesis-state.ts'
import { addressToHex, toQuantity } from '../../src/chain/bytes/hex.ts'
import type { GenesisAccount } from '../../src/chain/rules/genesis.ts'
import type { IndexerOptions } from '../../src/indexer/indexer.ts'
import type { IndexerProgress } from '../../src/indexer/progress.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { rangesStored } from '../../src/store/read/chain-state.ts'
import { databases } from '../support/databases.ts'
import { rpc, startLivelyDevnet, startStillDevnet } from '../support/devnet.ts'
import { dumpAll } from '../support/dump.ts'
import { startIndexer } from '../support/indexer.ts'
import { expectSameDump } from '../support/same-dump.ts'
import { beginningOf, hasTape, RECORDED_CHAIN, startTape } from '../support/tape.ts'

const genesis: GenesisAccount[] = genesisState({ fork: 'isthmus' }).map(({ address, balance, code }) => ({
  address: addressToHex(address),
  balance,
  hasCode: code.length > 0,
}))

const BLOCKS = 60
const SLOW = 240_000
function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

let devnet: Devnet
/** A chain with everything in it, which then stands still. */
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-gaps-'))
  const lively = await startLivelyDevnet({ blockMs: 100, tps: 80, folder })
  while (Number(await rpc(lively.url, 'eth_blockNumber')) < BLOCKS) await pause(100)
  await lively.stop()
  devnet = await startStillDevnet({ folder })
}, SLOW)
afterAll(() => devnet.stop())

async function head(): Promise<number> {
  return Number(await rpc(devnet.url, 'eth_blockNumber'))
}

describe.each(databases)('on $engine', ({ open }) => {
  /** Indexes until nothing is missing; gives the progress that was reported on the way. */
  const indexAll = async (database: Database, options: Partial<IndexerOptions>) => {
    const seen: IndexerProgress[] = []
    const indexer = startIndexer(
      { url: devnet.url, database },
      { ...options, onProgress: (progress) => seen.push(progress) },
    )
    const { hash } = await rpc(devnet.url, 'eth_getBlockByNumber', 'latest', false)
    const isThere = async () => {
      const { state, missing } = seen.at(-1) ?? {}
      const tip = await database.all('select height from blocks where hash = $1', [Buffer.from(hash.slice(2), 'hex')])
      return tip.length === 1 && state === 'following' && missing?.length === 0
    }
    for (const until = Date.now() + SLOW; !(await isThere()); await pause(20)) {
      if (Date.now() > until) throw new Error(`not there: ${JSON.stringify(seen.at(-1))}`)
    }
    await indexer.stop()
    return seen
  }

  const expectSame = async (database: Database, options: Partial<IndexerOptions>) => {
    const plain = await databases[0]!.open()
    await indexAll(plain, options)
    expectSameDump(await dumpAll(database), await dumpAll(plain))
    await plain.close()
  }

  test.each([
    ['with a genesis file', genesis],
    ['without one', null],
  ])('a new index %s follows a far head at once, and ends like any other', { timeout: SLOW }, async (_, accounts) => {
    const database = await open()
    const seen = await indexAll(database, { genesis: accounts, mostBehind: 10 })
    const tip = await head()
    const atHead = seen.find(({ indexed, missing }) => indexed === tip && missing.length > 0)
    expect(atHead).toMatchObject({ state: 'backfilling', start: 0, missing: [{ from: 0 }] })
    expect(seen.at(-1)).toMatchObject({ balancesHealed: 0, malformedTransfers: 0, trouble: null })
    await expectSame(database, { genesis: accounts })
    await database.close()
  })

  test('an index whose start is lowered fills what lies below', { timeout: SLOW }, async () => {
    const database = await open()
    for (const startHeight of [45, 20, 0]) {
      await indexAll(database, { genesis, startHeight })
      expect(await rangesStored(database)).toEqual([{ firstHeight: startHeight, lastHeight: await head() }])
    }
    await expectSame(database, { genesis })
    await database.close()
  })

  test('a reorg at the head while a gap is open leaves no trace', { timeout: SLOW }, async () => {
    const database = await open()
    const indexer = startIndexer({ url: devnet.url, database }, { genesis, mostBehind: 10 })
    while ((await rangesStored(database)).length === 0) await pause(5)
    await rpc(devnet.url, 'devnet_reorg', toQuantity(7))
    for (let block = 0; block < 10; block++) await rpc(devnet.url, 'devnet_seal')
    await pause(500)
    await indexer.stop()
    await indexAll(database, { genesis })
    await expectSame(database, { genesis })
    await database.close()
  })

  test.runIf(hasTape)('a reorg below the range at the head begins that range again', { timeout: SLOW }, async () => {
    const tape = await startTape(beginningOf(RECORDED_CHAIN, 131))
    const options = { balanceSamples: 0, mostBehind: 50 }
    const database = await open()
    await tape.control({ head: 120, latencyMs: 100 })
    const indexer = startIndexer({ url: tape.url, database }, options)
    // The first to be stored is the range at the head; the tape is too slow for the gap below it to be filled by now.
    let atHead = await rangesStored(database)
    for (; atHead.length === 0; atHead = await rangesStored(database)) await pause(5)
    expect(atHead.at(-1)!.firstHeight).toBeGreaterThan(60)
    const { headHash } = await tape.control({ reorg: { depth: 60 } })
    const { headHash: tip } = await tape.control({ head: 130, latencyMs: 0 })
    expect(tip).not.toBe(headHash)
    await indexer.reaches(tip)
    await indexer.stop()
    const plain = await databases[0]!.open()
    const again = startIndexer({ url: tape.url, database: plain }, { balanceSamples: 0 })
    await again.reaches(tip)
    await again.stop()
    // The tape says that everybody has nothing at any time, which is not so.
    expectSameDump(await dumpAll(database), await dumpAll(plain), ['native_balances', 'native_history'])
    await Promise.all([database.close(), plain.close(), tape.stop()])
  })
})
