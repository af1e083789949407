import { describe, expect, test } from 'vitest'
import { ADDRESSES, blockOf, emptyRows, transactionOf } from '../../test/support/chain-rows.ts'
import { databases } from '../../test/support/databases.ts'
import { writeChain } from '../store/chain/write.ts'
import { createChainReaders } from '../store/read/chain-reader.ts'
import { createExplorer } from './explorer.ts'

const DAY_MS = 86_400_000
const address = ADDRESSES[0]!
const context = { requestId: 'test', client: 'a test', signal: new AbortController().signal }
const names = { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' }

describe.each(databases)('E4 on $engine', ({ open }) => {
  test('E4 looks back one year from the last transaction that the heights let through', async () => {
    const database = await open()
    const days = [0, 100, 365, 366, 500]
    await writeChain(database, {
      blocks: days.map((day, height) => ({
        ...emptyRows(blockOf(height, { timestampMs: day * DAY_MS, transactionCount: 1 })),
        transactions: [transactionOf(height, 0, { sender: address })],
      })),
    })
    const { normalTransactionList } = createExplorer({
      readers: createChainReaders(database),
      names,
      challengePeriodS: 0,
    })
    const heights = async (endBlockHeight?: number) => {
      const params = { chainShortName: 'DEV', address, page: 1, limit: 20, endBlockHeight }
      const { data } = await normalTransactionList(params, context)
      return data[0].transactionList.map(({ height }) => Number(height))
    }
    expect(await heights()).toEqual([4, 3, 2])
    expect(await heights(3)).toEqual([3, 2, 1])
    expect(await heights(2)).toEqual([2, 1, 0])
    await database.close()
  })
})
