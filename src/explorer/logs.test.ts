import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ADDRESSES,
  blockOf,
  emptyRows,
  randomChain,
  TOKENS,
  TOPICS,
  transactionOf,
} from '../../test/support/chain-rows.ts'
import { databases } from '../../test/support/databases.ts'
import { jsonOfData } from '../lib/json/json-text.ts'
import { writeChain } from '../store/chain/write.ts'
import type { Database } from '../store/engine/database.ts'
import { positionOf } from '../store/schema/position.ts'
import { createExplorer } from './explorer.ts'

const LOGS = 2_300
const address = ADDRESSES[0]!
const context = { requestId: 'test', signal: new AbortController().signal }
const names = { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' }

describe.each(databases)('an address with more logs than an answer holds, on $engine', ({ open }) => {
  let database: Database

  beforeAll(async () => {
    database = await open()
    const logs = Array.from({ length: LOGS }, (_, i) => ({
      pos: positionOf(1, i),
      txPos: positionOf(1, 0),
      address,
      topic0: TOPICS[0]!,
      topic1: null,
      topic2: null,
      topic3: null,
      data: '0x' as const,
    }))
    const rows = {
      ...emptyRows(blockOf(1, { transactionCount: 1 })),
      transactions: [transactionOf(1, 0)],
      logs,
    }
    await writeChain(database, { blocks: [rows] })
  })

  afterAll(() => database?.close())

  test('gives the newest 1,000, says that there are more, and walks on', async () => {
    const { logsByAddress } = createExplorer({ queries: database, names, challengePeriodS: 0 })
    const walked: number[] = []
    const sizes: number[] = []
    for (let after: string | undefined; ; ) {
      const answer = await logsByAddress({ chainShortName: 'DEV', address, after }, context)
      walked.push(...answer.data.map(({ logIndex }) => Number(logIndex)))
      sizes.push(answer.data.length)
      expect(answer.truncated).toBe(answer.nextCursor === undefined ? undefined : true)
      if (answer.nextCursor === undefined) break
      after = answer.nextCursor
    }
    expect(sizes).toEqual([1_000, 1_000, 300])
    expect(walked).toEqual(Array.from({ length: LOGS }, (_, i) => LOGS - 1 - i))
  })

  test('is answered from memory, once it was asked for again, until the chain changes', async () => {
    const { logsByAddress } = createExplorer({ queries: database, names, challengePeriodS: 0 })
    const ask = () => logsByAddress({ chainShortName: 'DEV', address }, context)
    await ask()
    const kept = await ask()
    expect(await ask()).toBe(kept)
    await writeChain(database, { blocks: [emptyRows(blockOf(2))] })
    expect(await ask()).not.toBe(kept)
  })
})

describe.each(databases)('what goes out of logs on $engine', ({ open }) => {
  test('is what an index says that never saw the other branch, whatever went out before', async () => {
    const database = await open()
    const token = TOKENS[0]!.address
    const remembering = createExplorer({ queries: database, names, challengePeriodS: 0 })
    const ask = ({ logsByAddress }: typeof remembering) =>
      logsByAddress({ chainShortName: 'DEV', address: token }, context)
    const changes = [
      { blocks: randomChain({ seed: 1, last: 20 }) },
      { blocks: randomChain({ seed: 1, first: 21, last: 24 }) },
      { rewindTo: 10, blocks: randomChain({ seed: 2, first: 10, last: 26 }) },
    ]
    for (const change of changes) {
      await writeChain(database, change)
      const met = await ask(remembering)
      const fresh = await ask(createExplorer({ queries: database, names, challengePeriodS: 0 }))
      expect(met.data).toEqual(fresh.data)
      expect(met.data.length).toBeGreaterThan(5)
      expect(jsonOfData(met)).toBe(JSON.stringify(fresh.data))
    }
    await database.close()
  })
})

describe.each(databases)('an empty index on $engine', ({ open }) => {
  test('is not ready, whatever is asked', async () => {
    const database = await open()
    const { blockList } = createExplorer({ queries: database, names, challengePeriodS: 0 })
    const asked = async () => blockList({ chainShortName: 'DEV', page: 1, limit: 20, after: 'nonsense' }, context)
    await expect(asked()).rejects.toMatchObject({ key: 'notReady' })
    await database.close()
  })
})
