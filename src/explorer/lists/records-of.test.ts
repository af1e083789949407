import { describe, expect, test } from 'vitest'
import { ADDRESSES, blockOf, emptyRows, transactionOf } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import { writeChain } from '../../store/chain/write.ts'
import { createChainReaders } from '../../store/read/chain-reader.ts'
import { latestTransactions } from '../../store/read/transactions.ts'
import { openChain } from '../state/chain-context.ts'
import { pageAnswer, recordList, recordsOf } from './records-of.ts'

const names = { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' }

function blockRows(height: number) {
  const transactions = [0, 1, 2].map((index) =>
    transactionOf(height, index, { sender: ADDRESSES[0]!, recipient: ADDRESSES[1]! }),
  )
  return { ...emptyRows(blockOf(height, { transactionCount: 3 })), transactions }
}

async function chainOf(blocks: number) {
  const database = await databases[0]!.open()
  await writeChain(database, { blocks: Array.from({ length: blocks }, (_, height) => blockRows(height)) })
  const options = { readers: createChainReaders(database), names, challengePeriodS: 0 }
  return { database, open: async () => (await openChain(options)).chain }
}

describe('records of rows', () => {
  test('records of rows are the same objects again for the same chain state and kind, and are made again for another', async () => {
    const { database, open } = await chainOf(2)
    const chain = await open()
    const rows = await latestTransactions(chain.reader, { limit: 3 })
    const { records } = await recordsOf(chain, rows, 'addressTransaction')
    const again = await recordsOf(await open(), rows.slice(1), 'addressTransaction')
    expect(again.records[0]).toBe(records[1])
    const other = await recordsOf(chain, rows, 'blockTransaction')
    expect(other.records[0]).toHaveProperty('txid')

    await recordsOf(chain, rows, 'addressTransaction')
    await writeChain(database, { blocks: [blockRows(2)] })
    const later = await recordsOf(await open(), rows, 'addressTransaction')
    expect(later.records[0]).not.toBe(records[0])
    expect(later.records).toEqual(records)
    await database.close()
  })

  test('records of rows never come from the cache for a pending transaction', async () => {
    const { database, open } = await chainOf(1)
    const chain = await open()
    const [row] = await latestTransactions(chain.reader, { limit: 1 })
    await recordsOf(chain, [row!], 'addressTransaction')
    const { records } = await recordsOf(
      chain,
      [{ ...row!, pending: 'preconfirmed' as const, input: '0x' as const, transfers: [] }],
      'addressTransaction',
    )
    expect(records[0]).toMatchObject({ state: 'pending', stage: 'preconfirmed' })
    await database.close()
  })

  test('records of rows have the JSON that JSON.stringify gives, alone and in a page, made or cached', async () => {
    const { database, open } = await chainOf(1)
    const chain = await open()
    const rows = await latestTransactions(chain.reader, { limit: 3 })
    for (let i = 0; i < 2; i++) {
      const list = await recordsOf(chain, rows, 'latestTransaction')
      expect(list.json()).toBe(JSON.stringify(list.records))
      const answer = pageAnswer({ page: '1', nextCursor: '' }, { transactionList: list, none: recordList([]) })
      expect(answer.dataJson()).toBe(JSON.stringify(answer.data))
    }
    await database.close()
  })
})
