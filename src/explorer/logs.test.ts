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
import { writeChain } from '../store/chain/write.ts'
import type { Database } from '../store/engine/database.ts'
import { createChainReaders } from '../store/read/chain-reader.ts'
import { positionOf } from '../store/schema/position.ts'
import { createExplorer } from './explorer.ts'

const LOGS = 2_300
const address = ADDRESSES[0]!
const context = { requestId: 'test', client: 'a test', signal: new AbortController().signal }
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

  test('an address with more logs than an answer holds gives the newest 1,000, says that there are more, and walks on', async () => {
    const { logsByAddress } = createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0 })
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

  test('an address with more logs than an answer holds has one chain version until the chain changes, so that its response can be cached', async () => {
    const { logsByAddress } = createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0 })
    const versionNow = async () => (await logsByAddress.begin!({ chainShortName: 'DEV', address })).chainVersion
    const before = await versionNow()
    expect(await versionNow()).toBe(before)
    await writeChain(database, { blocks: [emptyRows(blockOf(2))] })
    expect(await versionNow()).not.toBe(before)
  })
})

describe.each(databases)('logs that are sent from the cache on $engine', ({ open }) => {
  test('logs of a branch that a reorg removed are never sent again', async () => {
    const database = await open()
    const token = TOKENS[0]!.address
    const caching = createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0 })
    const ask = ({ logsByAddress }: typeof caching) => logsByAddress({ chainShortName: 'DEV', address: token }, context)
    const changes = [
      { blocks: randomChain({ seed: 1, last: 20 }) },
      { blocks: randomChain({ seed: 1, first: 21, last: 24 }) },
      { rewindTo: 10, blocks: randomChain({ seed: 2, first: 10, last: 26 }) },
    ]
    for (const change of changes) {
      await writeChain(database, change)
      const met = await ask(caching)
      const fresh = await ask(createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0 }))
      expect(met.data).toEqual(fresh.data)
      expect(met.data.length).toBeGreaterThan(5)
      expect(met.dataJson!()).toBe(JSON.stringify(fresh.data))
    }
    await database.close()
  })
})

describe.each(databases)('an empty index on $engine', ({ open }) => {
  test('an empty index is not ready, whatever is asked', async () => {
    const database = await open()
    const { blockList } = createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0 })
    const asked = async () => blockList({ chainShortName: 'DEV', page: 1, limit: 20, after: 'nonsense' }, context)
    await expect(asked()).rejects.toMatchObject({ key: 'notReady' })
    await database.close()
  })
})
