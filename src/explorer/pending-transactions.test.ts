import { describe, expect, test } from 'vitest'
import { ADDRESSES, blockOf, emptyRows, hexOf, transactionOf } from '../../test/support/chain-rows.ts'
import { databases } from '../../test/support/databases.ts'
import type { Hex } from '../chain/bytes/hex.ts'
import { createLedgerMirror } from '../preconfirmations/ledger-mirror.ts'
import type { PendingTransactionRow } from '../preconfirmations/pending-row.ts'
import { writeChain } from '../store/chain/write.ts'
import { createChainReaders } from '../store/read/chain-reader.ts'
import { createExplorer } from './explorer.ts'

const [ann, bob, cy] = ADDRESSES as [Hex, Hex, Hex]
const context = { requestId: 'test', client: 'a test', signal: new AbortController().signal }
const names = { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' }
const HEAD = 4

function preconfirmedRow(height: number, position: number, changes: Partial<PendingTransactionRow> = {}) {
  const { pos: _, error: __, ...row } = transactionOf(height, position)
  const block = { height, hash: hexOf(32, 0xf0000 + height), timestampMs: 1_700_000_000_000 + height * 2_000 }
  return { ...row, position, flashblockIndex: 0, transfers: [], block, ...changes } satisfies PendingTransactionRow
}

function eventsOf(row: PendingTransactionRow) {
  return [
    {
      type: 'transaction' as const,
      record: {
        hash: row.hash,
        seenMs: 1,
        seenBy: 'feed' as const,
        preconfirmation: { height: row.block.height, flashblockIndex: 0, position: row.position, atMs: 1 },
        inclusion: null,
        droppedMs: null,
        verdict: null,
        changes: [],
        past: [],
      },
    },
    { type: 'pending' as const, rows: [row] },
  ]
}

describe.each(databases)('E3 with preconfirmed transactions on $engine', ({ open }) => {
  test('E3 with preconfirmed transactions lists them first, as pending, with exact pages and cursors, until the index has their block', async () => {
    const database = await open()
    const blocks = Array.from({ length: HEAD + 1 }, (_, height) => ({
      ...emptyRows(blockOf(height, { transactionCount: 1 })),
      transactions: [transactionOf(height, 0, { sender: ann, recipient: bob })],
    }))
    await writeChain(database, { blocks })
    const ledger = createLedgerMirror()
    const { addressTransactionList, normalTransactionList, transactionMulti } = createExplorer({
      readers: createChainReaders(database),
      names,
      challengePeriodS: 0,
      ledger,
    })
    const page = async (extra: object = {}) => {
      const params = { chainShortName: 'DEV', address: ann, protocolType: 'transaction' as const, page: 1, limit: 3 }
      return (await addressTransactionList({ ...params, ...extra }, context)).data[0]
    }
    const stored = (await page({ limit: 20 })).transactionLists
    expect(stored.map(({ state, stage }) => [state, stage])).toEqual(blocks.map(() => ['success', 'included']))

    const pendingRows = [
      preconfirmedRow(HEAD + 1, 0, { sender: cy, recipient: cy }),
      preconfirmedRow(HEAD + 1, 1, { sender: ann, recipient: cy, status: null }),
      preconfirmedRow(HEAD + 1, 2, { sender: cy, recipient: ann }),
    ]
    for (const row of pendingRows) ledger.take(eventsOf(row))
    const whole = await page({ limit: 20 })
    expect(whole.transactionLists.slice(2)).toEqual(stored)
    expect(whole.transactionLists.slice(0, 2)).toMatchObject([
      { txId: pendingRows[2]!.hash, state: 'pending', stage: 'preconfirmed', height: '5', to: ann },
      { txId: pendingRows[1]!.hash, state: 'pending', stage: 'preconfirmed', height: '5', from: ann },
    ])
    // §3: the time of a pending transaction is that of its broadcast.
    expect(whole.transactionLists.slice(0, 2).map(({ transactionTime }) => transactionTime)).toEqual(['1', '1'])
    const normal = { chainShortName: 'DEV', address: ann, page: 1, limit: 20 }
    const listed = (await normalTransactionList(normal, context)).data[0].transactionList
    expect(listed.slice(0, 2)).toMatchObject([
      { txId: pendingRows[2]!.hash },
      { txId: pendingRows[1]!.hash, state: 'pending' },
    ])
    const txId = [pendingRows[1]!.hash, stored[0]!.txId as Hex]
    expect((await transactionMulti({ chainShortName: 'DEV', txId }, context)).data).toMatchObject([
      { txId: txId[0], state: 'pending', stage: 'preconfirmed', transactionTime: '1' },
      { txId: txId[1], state: 'success' },
    ])
    const byPage = []
    for (let number = 1; number <= 3; number++) {
      const each = await page({ page: number })
      expect(each.totalPage).toBe('3')
      byPage.push(...each.transactionLists)
    }
    expect(byPage).toEqual(whole.transactionLists)
    for (const limit of [1, 2, 3]) {
      const walked = []
      for (let after: string | undefined; after !== ''; ) {
        const each = await page({ limit, after })
        walked.push(...each.transactionLists)
        after = each.nextCursor
      }
      expect(walked).toEqual(whole.transactionLists)
    }
    expect((await page({ isFromOrTo: 'from', limit: 1 })).totalPage).toBe('6')
    expect((await page({ endBlockHeight: HEAD })).transactionLists).toEqual(stored.slice(0, 3))

    // The block comes with one of them.
    await writeChain(database, {
      blocks: [
        {
          ...emptyRows(blockOf(HEAD + 1, { transactionCount: 1 })),
          transactions: [transactionOf(HEAD + 1, 0, { hash: pendingRows[1]!.hash, sender: ann, recipient: cy })],
        },
      ],
    })
    const after = (await page({ limit: 20 })).transactionLists
    expect(after.map(({ txId, stage }) => [txId, stage])).toEqual(
      [pendingRows[1]!.hash, ...stored.map(({ txId }) => txId)].map((txId) => [txId, 'included']),
    )
    await database.close()
  })
})
