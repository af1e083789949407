import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { randomChain } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import { writeChain } from '../chain/write.ts'
import type { Database } from '../engine/database.ts'
import { baseFeesAt, blockSums, countSenders, latestGasPrices } from './charts.ts'

const chain = randomChain({ seed: 23, last: 60 })
const all = chain.map(({ block }) => block)
const startMs = all[0]!.timestampMs
const endMs = all.at(-1)!.timestampMs + 1
/** Some ten blocks each. */
const periodMs = Math.max(1, Math.floor((endMs - startMs) / 6))
function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

describe.each(databases)('sums on $engine', ({ engine, open }) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
    await writeChain(database, { blocks: chain })
  })
  afterEach(() => database.close())

  test('sums are those of the blocks of each period', async () => {
    const sums = await blockSums(database, { fromMs: startMs, toMs: endMs, periodMs })
    const periods = [...new Set(all.map(({ timestampMs }) => Math.floor(timestampMs / periodMs)))]
    expect(sums).toEqual(
      periods.map((period) => {
        const within = all.filter(({ timestampMs }) => Math.floor(timestampMs / periodMs) === period)
        return {
          period,
          blocks: within.length,
          firstHeight: within[0]!.height,
          lastHeight: within.at(-1)!.height,
          transactions: sum(within.map(({ transactionCount }) => transactionCount)),
          gasUsed: sum(within.map(({ gasUsed }) => gasUsed)),
          gasLimit: sum(within.map(({ gasLimit }) => gasLimit)),
        }
      }),
    )
  })

  test('sums leave out what is outside of the stretch', async () => {
    const [first, second] = all
    const sums = await blockSums(database, {
      fromMs: first!.timestampMs,
      toMs: second!.timestampMs,
      periodMs: 10 ** 12,
    })
    expect(sums).toMatchObject([{ blocks: 1, lastHeight: first!.height }])
  })

  test.runIf(engine === 'sqlite')('sums walk along the index of times', async () => {
    const seen: string[] = []
    await blockSums(
      {
        ...database,
        all: (sql, values) => {
          seen.push(sql)
          return database.all(sql, values)
        },
      },
      { fromMs: startMs, toMs: endMs, periodMs },
    )
    const [step] = await database.all<{ detail: string }>(`explain query plan ${seen[0]}`, [startMs, endMs])
    expect(step!.detail).toContain('SEARCH blocks USING INDEX blocks_time')
  })

  test('sums count each sender once', async () => {
    const [from, to] = [5, 40]
    const senders = chain
      .filter(({ block }) => block.height >= from && block.height <= to)
      .flatMap(({ transactions }) => transactions.map(({ sender }) => sender))
    expect(await countSenders(database, { from, to })).toBe(new Set(senders).size)
  })

  test('sums know base fees and the newest prices', async () => {
    const heights = [3, 7, 10_000]
    expect([...(await baseFeesAt(database, heights))]).toEqual([3, 7].map((at) => [at, all[at]!.baseFeePerGas]))
    const newest = chain.flatMap(({ transactions }) => transactions).sort((a, b) => b.pos - a.pos)
    expect(await latestGasPrices(database, 5)).toEqual(
      newest.slice(0, 5).map(({ pos, gasPrice }) => ({ pos, gasPrice })),
    )
  })
})
