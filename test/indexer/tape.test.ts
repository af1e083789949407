// The recorded chain of 2,003 blocks, indexed on both engines: exact, and after reorgs the same as if they had never been, byte for byte on
// both.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import { tokenBalances } from '../../src/store/schema/tables.ts'
import { databases } from '../support/databases.ts'
import { dumpAll } from '../support/dump.ts'
import { startIndexer } from '../support/indexer.ts'
import { BALANCES_OF_TAPE, expectSameDump } from '../support/same-dump.ts'
import { hasTape, RECORDED_CHAIN, startTape, type Tape } from '../support/tape.ts'

/** The tape executes nothing, so what it says of balances is not to be compared. */
const options = { balanceSamples: 0 }
const SLOW = 300_000

describe.runIf(hasTape)('the recorded chain', () => {
  let tape: Tape
  const opened = new Map<string, Database>()

  beforeAll(async () => {
    tape = await startTape()
    for (const { engine, open } of databases) opened.set(engine, await open())
  })
  afterAll(async () => {
    for (const database of opened.values()) await database.close()
    await tape.stop()
  })

  const headHash = async () => (await tape.control({})).headHash

  const indexToHead = async (database: Database) => {
    const indexer = startIndexer({ url: tape.url, database }, options)
    await indexer.reaches(await headHash())
    await indexer.stop()
  }

  test.each(databases)(
    'the recorded chain has on $engine exactly its 40,020 transfers, and balances that its logs add up to',
    {
      timeout: SLOW,
    },
    async ({ engine }) => {
      const database = opened.get(engine)!
      await indexToHead(database)
      const [{ count }] = (await database.all<{ count: number }>('select count(*) as count from transfers')) as [
        { count: number },
      ]
      expect(count).toBe(40_020)
      const rows = await database.all(`select ${tokenBalances.select()} from token_balances`)
      const balances = rows.map((row) => tokenBalances.decode(row))
      expect(new Map(balances.map(({ token, address, balance }) => [`${token} ${address}`, balance]))).toEqual(
        summedFromLogs(),
      )
    },
  )

  // The deepest first: whatever one of them leaves behind, none of the others takes away.
  test('the index after reorgs of depth 1,000, 64, 5 and 1 is on both engines what a new index of the new chain is', {
    timeout: SLOW,
  }, async () => {
    const indexers = [...opened.values()].map((database) => startIndexer({ url: tape.url, database }, options))
    const reachHead = async () => {
      const tip = await headHash()
      await Promise.all(indexers.map((indexer) => indexer.reaches(tip)))
    }
    await reachHead()
    for (const depth of [1_000, 64, 5, 1]) {
      await tape.control({ reorg: { depth } })
      await reachHead()
      for (const indexer of indexers) expect(indexer.progress()).toMatchObject({ lastReorgHeight: 2_003 - depth })
    }
    for (const indexer of indexers) {
      expect(indexer.progress().reorgs).toBe(4)
      await indexer.stop()
    }
    const again = await databases[0]!.open()
    await indexToHead(again)
    const expected = await dumpAll(again)
    for (const database of opened.values()) expectSameDump(await dumpAll(database), expected, BALANCES_OF_TAPE)
    await again.close()
  })
})

/** By hand, from the recording. */
function summedFromLogs(): Map<string, bigint> {
  const lines = gunzipSync(readFileSync(RECORDED_CHAIN)).toString().trim().split('\n')
  const sums = new Map<string, bigint>()
  const add = (token: string, topic: string, amount: bigint) => {
    const key = `${token} 0x${topic.slice(26)}`
    if (BigInt(topic) !== 0n) sums.set(key, (sums.get(key) ?? 0n) + amount)
  }
  for (const line of lines) {
    for (const { logs } of JSON.parse(line).receipts) {
      for (const { address, topics, data } of logs) {
        add(address, topics[1], -BigInt(data))
        add(address, topics[2], BigInt(data))
      }
    }
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n))
}
