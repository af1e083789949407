// Answers need several reads. In these tests the chain changes between the first read and the next.
import { describe, expect, test } from 'vitest'
import { ADDRESSES, blockOf, emptyRows, hexOf, transactionOf } from '../../test/support/chain-rows.ts'
import { databases } from '../../test/support/databases.ts'
import { createEtherscanFacade } from '../compat/etherscan/facade.ts'
import { writeChain } from '../store/chain/write.ts'
import type { Database, Queries, Row, Value } from '../store/engine/database.ts'
import { createChainReaders } from '../store/read/chain-reader.ts'
import { createExplorer } from './explorer.ts'

const [ann, bob, eve] = ADDRESSES as [`0x${string}`, `0x${string}`, `0x${string}`]
const names = { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' }
const context = { requestId: 'test', client: 'a test', signal: new AbortController().signal }
const A_BLOCK = 4

/** Blocks of a branch: every transaction is sent by one address. */
function blocksBy(sender: `0x${string}`, first: number, last: number) {
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const height = first + i
    return {
      ...emptyRows(
        blockOf(height, { hash: hexOf(32, BigInt(sender) * 1_000n + BigInt(height)), transactionCount: A_BLOCK }),
      ),
      transactions: Array.from({ length: A_BLOCK }, (_, index) =>
        transactionOf(height, index, {
          hash: hexOf(32, BigInt(sender) * 1_000n + BigInt(height * 10 + index)),
          sender,
          recipient: bob,
        }),
      ),
    }
  })
}

/** The chain changes once, when the first keys have been read. */
function changingBetweenReads(database: Database, change: () => Promise<void>): Queries {
  let isChanged = false
  return {
    ...database,
    all: async <R extends Row>(sql: string, values: readonly Value[] = []) => {
      const rows = await database.all<R>(sql, values)
      if (!isChanged && / as key from /.test(sql)) {
        isChanged = true
        await change()
      }
      return rows
    },
  }
}

describe.each(databases)('a chain that changes while an answer is made, on $engine', ({ open }) => {
  const branches = {
    'another of the same length': () => ({ rewindTo: 3, blocks: blocksBy(eve, 3, 5) }),
    'a shorter one': () => ({ rewindTo: 3, blocks: blocksBy(eve, 3, 3) }),
  }

  test.each(Object.entries(branches))(
    'a chain that changes while an answer is made gives what it is then: %s',
    async (_, branch) => {
      const database = await open()
      await writeChain(database, { blocks: blocksBy(ann, 0, 5) })
      const change = () => writeChain(database, branch())
      const changing = createExplorer({
        readers: createChainReaders(changingBetweenReads(database, change)),
        names,
        challengePeriodS: 0,
      })
      const params = { chainShortName: 'DEV', address: ann, protocolType: 'transaction' as const, page: 1, limit: 20 }
      const met = await changing.addressTransactionList(params, context)

      const fresh = createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0 })
      expect(met.data).toEqual((await fresh.addressTransactionList(params, context)).data)
      expect(met.data[0].transactionLists.map(({ from }) => from)).toEqual(
        Array.from({ length: 3 * A_BLOCK }, () => ann),
      )
      await database.close()
    },
  )

  test('a chain that changes while an answer is made says so in the other dialect as well', async () => {
    const database = await open()
    await writeChain(database, { blocks: blocksBy(ann, 0, 5) })
    const change = () => writeChain(database, { rewindTo: 3, blocks: blocksBy(eve, 3, 5) })
    const facadeOf = (queries: Queries) =>
      createEtherscanFacade({ readers: createChainReaders(queries), names, challengePeriodS: 0 })
    const query = { module: 'account', action: 'txlist', address: ann }
    const met = await facadeOf(changingBetweenReads(database, change))(query, 'a test')
    expect(met).toEqual(await facadeOf(database)(query, 'a test'))
    expect(met.result).toHaveLength(3 * A_BLOCK)
    await database.close()
  })
})
