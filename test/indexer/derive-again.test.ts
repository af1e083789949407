// An index that an older version of the program made: what that version derived otherwise is derived again beside the head, and in the
// end the index is what a new one is.
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { genesisState } from '../../devnet/genesis/genesis-state.ts'
import { addressToHex, toQuantity } from '../../src/chain/bytes/hex.ts'
import type { GenesisAccount } from '../../src/chain/rules/genesis.ts'
import type { IndexerOptions } from '../../src/indexer/indexer.ts'
import type { IndexerProgress } from '../../src/indexer/progress.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { chainState, derivationRows } from '../../src/store/read/chain-state.ts'
import { derivedThings } from '../../src/store/schema/derivations.ts'
import { type NodeProxy, startProxy } from '../../src/upstream/node/proxy-for-tests.ts'
import { databases } from '../support/databases.ts'
import { rpc, startLivelyDevnet, startStillDevnet } from '../support/devnet.ts'
import { dumpAll } from '../support/dump.ts'
import { startIndexer } from '../support/indexer.ts'
import { startIndexing } from '../support/kills.ts'
import { expectSameDump } from '../support/same-dump.ts'

const genesis: GenesisAccount[] = genesisState({ fork: 'isthmus' }).map(({ address, balance, code }) => ({
  address: addressToHex(address),
  balance,
  hasCode: code.length > 0,
}))

const BLOCKS = 50
const HELD_HEIGHT = 40
const SLOW = 240_000

async function until(isSo: () => boolean | Promise<boolean>, what: () => unknown): Promise<void> {
  for (const giveUpMs = Date.now() + SLOW / 3; !(await isSo()); await sleep(20)) {
    if (Date.now() > giveUpMs)
      throw new Error(
        `not in time: ${JSON.stringify(what(), ['state', 'trouble', 'derivation', 'problem', 'from', 'to'])}`,
      )
  }
}

let devnet: Devnet
let proxy: NodeProxy
/** A chain with everything in it, which then stands still. */
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-derive-'))
  const lively = await startLivelyDevnet({ blockMs: 100, tps: 80, folder })
  while (Number(await rpc(lively.url, 'eth_blockNumber')) < BLOCKS) await sleep(100)
  await lively.stop()
  devnet = await startStillDevnet({ folder })
  proxy = await startProxy(devnet.url)
}, SLOW)
afterEach(() => {
  proxy.bend = {}
})
afterAll(async () => {
  proxy.stop()
  await devnet.stop()
})

/** The node does not answer about one old block until it is let go. */
function holdBlock(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  proxy.bend = {
    rewrite: async (method, result, [at]) => {
      if (method.startsWith('debug_trace') && Number(at) === HELD_HEIGHT) await promise
      return result
    },
  }
  return resolve
}

/** Rows as programs before this one left them: fewer of them, or others, and no version. */
async function makeOld(database: Database): Promise<void> {
  const zero = [Buffer.from([0x80])]
  await database.run('delete from native_history where height % 3 = 1')
  await database.run('delete from contracts where height % 2 = 0 and height > 0')
  await database.run('delete from token_supplies where height % 2 = 1')
  await database.run('delete from internals where pos % 5 = 2')
  await database.run('delete from activity where pos % 7 = 3 or (kind = 1 and pos % 5 = 2)')
  await database.run('delete from logs where pos % 5 = 0')
  await database.run('update blocks set max_tip = $1, reward = $1 where height % 4 = 1', zero)
  await database.run('update transactions set fee = $1, error = null where pos % 3 = 0', zero)
  await database.run('update native_balances set balance = $1 where height % 5 = 0', zero)
  await database.run(`update tokens set issued_ms = 0, holders = 0, name = 'old'`)
  await database.run('update token_balances set balance = $1 where read_height is null and hex(address) > $2', [
    ...zero,
    '8',
  ])
  await database.run('delete from token_items where balance > $1', zero)
  await database.run('update token_counts set total = null, transfers = 1')
  await database.run('delete from derivations')
}

async function tip(): Promise<string> {
  return (await rpc(devnet.url, 'eth_getBlockByNumber', 'latest', false)).hash
}

describe.each(databases)('on $engine', ({ engine, open, place }) => {
  const start = (database: Database, options: Partial<IndexerOptions> = {}) => {
    const seen: IndexerProgress[] = []
    const indexer = startIndexer(
      { url: proxy.url, database },
      { genesis, ...options, onProgress: (progress) => seen.push(progress) },
    )
    const isCurrent = async () =>
      (await chainState(database)).outdated.length === 0 && seen.at(-1)?.derivation.state === 'done'
    const reaches = (hash: string) =>
      until(
        async () => (await chainState(database)).head?.hash === hash && seen.at(-1)?.state === 'following',
        () => seen.at(-1),
      )
    return {
      seen,
      reaches,
      endsCurrent: async (hash: string) => {
        await reaches(hash)
        await until(isCurrent, () => seen.at(-1))
        await indexer.stop()
      },
      stop: indexer.stop,
    }
  }

  const oldIndex = async (database: Database, options: Partial<IndexerOptions> = {}): Promise<void> => {
    await start(database, options).endsCurrent(await tip())
    await makeOld(database)
  }

  const expectLikeNew = async (database: Database, options: Partial<IndexerOptions> = {}): Promise<void> => {
    const fresh = await databases[0]!.open()
    await start(fresh, options).endsCurrent(await tip())
    expectSameDump(await dumpAll(database), await dumpAll(fresh))
    expect(await derivationRows(database)).toEqual(await derivationRows(fresh))
    await fresh.close()
  }

  test.each([
    ['with a genesis file', genesis],
    ['without one', null],
  ])(
    'an index of an older version %s is put right while it follows the head',
    { timeout: SLOW },
    async (_, accounts) => {
      const database = await open()
      await oldIndex(database, { genesis: accounts })
      expect((await chainState(database)).outdated).toEqual(derivedThings)
      const letGo = holdBlock()
      const indexer = start(database, { genesis: accounts })
      await until(
        () => (indexer.seen.at(-1)?.derivation.from ?? 0) > 0,
        () => indexer.seen.at(-1),
      )
      expect(indexer.seen.at(-1)!.derivation).toMatchObject({
        state: 'deriving again',
        outdated: derivedThings,
        problem: null,
      })
      for (let block = 0; block < 3; block++) await rpc(devnet.url, 'devnet_seal')
      await indexer.reaches(await tip())
      expect((await chainState(database)).outdated).toEqual(derivedThings)
      expect((await chainState(database)).nativeBalances).toEqual({ areExact: false, areComplete: false })
      letGo()
      await indexer.endsCurrent(await tip())
      expect(indexer.seen.at(-1)!).toMatchObject({ balancesHealed: 0, trouble: null })
      expect((await chainState(database)).nativeBalances.areExact).toBe(true)
      await expectLikeNew(database, { genesis: accounts })
      await database.close()
    },
  )

  const sqliteOnly = engine === 'sqlite'

  test.runIf(sqliteOnly)(
    'an index whose rows are right already is read, and not written',
    { timeout: SLOW },
    async () => {
      const database = await open()
      await start(database).endsCurrent(await tip())
      await database.run('delete from derivations')
      const before = await chainState(database)
      const indexer = start(database)
      await indexer.endsCurrent(await tip())
      expect(indexer.seen.at(-1)!.derivation).toMatchObject({ state: 'done', replaced: 0 })
      expect((await chainState(database)).repairs).toBe(before.repairs)
      await database.close()
    },
  )

  test('activity of an older version is derived again from stored rows alone', { timeout: SLOW }, async () => {
    const database = await open()
    await start(database).endsCurrent(await tip())
    await database.run('delete from activity where pos % 3 = 1')
    await database.run(`update derivations set version = 0 where thing = 'activity of addresses'`)
    proxy.requests.length = 0
    await start(database).endsCurrent(await tip())
    expect(proxy.requests.filter((method) => method.startsWith('debug_traceBlock')).length).toBeLessThan(BLOCKS / 2)
    await expectLikeNew(database)
    await database.close()
  })

  test('a process that is killed in the middle is followed by one that goes on', { timeout: SLOW }, async () => {
    const at = await place()
    const database = await openDatabase({ ...at, onIdleError: () => {} })
    await migrate(database, 0)
    await oldIndex(database, { genesis: null })
    const letGo = holdBlock()
    const child = await startIndexing(proxy.url, at)
    const derivedTo = async () => (await derivationRows(database))[0]?.derivedTo ?? -1
    await until(
      async () => (await derivedTo()) > 0,
      () => 'the process derives nothing',
    )
    child.kill('SIGKILL')
    await once(child, 'exit')
    letGo()
    const reached = await derivedTo()
    expect(reached).toBeLessThan(HELD_HEIGHT)
    const indexer = start(database, { genesis: null })
    await indexer.endsCurrent(await tip())
    expect(indexer.seen.find(({ derivation }) => derivation.from !== null)!.derivation.from).toBe(reached + 1)
    await expectLikeNew(database, { genesis: null })
    await database.close()
  })

  test.each([
    ['above', 5],
    ['below', BLOCKS - 6],
  ])('a reorg %s what is derived again already leaves no trace', { timeout: SLOW }, async (_, depth) => {
    const database = await open()
    await oldIndex(database)
    const letGo = holdBlock()
    const indexer = start(database)
    await until(
      () => (indexer.seen.at(-1)?.derivation.from ?? 0) > 0,
      () => indexer.seen.at(-1),
    )
    await rpc(devnet.url, 'devnet_reorg', toQuantity(depth))
    for (let block = 0; block < depth + 3; block++) await rpc(devnet.url, 'devnet_seal')
    letGo()
    await indexer.endsCurrent(await tip())
    await expectLikeNew(database)
    await database.close()
  })

  test.runIf(sqliteOnly)(
    'an index waits for a node that has its old blocks, and follows meanwhile',
    { timeout: SLOW },
    async () => {
      const database = await open()
      await oldIndex(database)
      proxy.bend = {
        rewrite: (method, result, [at]) => (method === 'eth_getBlockReceipts' && Number(at) < 5 ? null : result),
      }
      const indexer = start(database)
      await until(
        () => indexer.seen.at(-1)?.derivation.problem === 'the node has no block 0 any more',
        () => indexer.seen.at(-1),
      )
      await rpc(devnet.url, 'devnet_seal')
      await indexer.reaches(await tip())
      expect((await chainState(database)).outdated).toEqual(derivedThings)
      proxy.bend = {}
      await indexer.stop()
      await start(database).endsCurrent(await tip())
      await expectLikeNew(database)
      await database.close()
    },
  )

  test.runIf(sqliteOnly)(
    'calls of which the node has no traces any more stay, and are marked',
    { timeout: SLOW },
    async () => {
      const database = await open()
      await start(database).endsCurrent(await tip())
      const before = await dumpAll(database)
      await database.run('delete from derivations')
      proxy.bend = {
        refuse: (method, [at]) =>
          method.startsWith('debug_trace') && Number(at) < HELD_HEIGHT
            ? { code: -32000, message: 'required historical state unavailable (reexec=128)' }
            : undefined,
      }
      await start(database).endsCurrent(await tip())
      const after = await dumpAll(database)
      expectSameDump(after, before, ['trace_gaps'])
      expect(after.trace_gaps).toHaveLength(HELD_HEIGHT - 1)
      expect((await chainState(database)).nativeBalances.areExact).toBe(true)
      await database.close()
    },
  )
})
