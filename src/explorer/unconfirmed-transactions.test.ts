import { afterAll, describe, expect, test } from 'vitest'
import { ADDRESSES, blockOf, emptyRows, hexOf, transactionOf } from '../../test/support/chain-rows.ts'
import { databases } from '../../test/support/databases.ts'
import type { Hex } from '../chain/bytes/hex.ts'
import type { PoolTransaction } from '../chain/rpc/pool-transaction.ts'
import { createLedgerMirror } from '../preconfirmations/ledger-mirror.ts'
import type { PendingTransactionRow } from '../preconfirmations/pending-row.ts'
import { createTransactionPool } from '../preconfirmations/transaction-pool.ts'
import { firstSight, preconfirmedAs } from '../preconfirmations/transaction-record.ts'
import { writeChain } from '../store/chain/write.ts'
import { createChainReaders } from '../store/read/chain-reader.ts'
import { createExplorer } from './explorer.ts'

const [ann, bob] = ADDRESSES as [Hex, Hex]
const token = hexOf(20, 0x70)
const context = { requestId: 'test', client: 'test', signal: new AbortController().signal }
const names = { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' }
const chainShortName = 'DEV'
const HEAD = 2
const ETHER = 10n ** 18n

const closing: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

const UNNAMED = { name: null, symbol: null, decimals: null }

function blockWith(height: number) {
  return {
    ...emptyRows(blockOf(height, { transactionCount: 1 })),
    transactions: [transactionOf(height, 0, { sender: ann, recipient: bob })],
    tokens: height === 0 ? [{ address: token, kind: 20 as const, height, issuedMs: 0, ...UNNAMED }] : [],
  }
}

function waiting(nonce: number, changes: Partial<PoolTransaction> = {}): PoolTransaction {
  return {
    hash: hexOf(32, 0xa000 + nonce),
    sender: ann,
    recipient: bob,
    value: 200n * ETHER,
    nonce,
    type: 2,
    gasLimit: 90_000,
    gasPrice: 7n,
    maxFeePerGas: 7n,
    maxPriorityFeePerGas: 1n,
    method: '0xa9059cbb',
    input: '0xa9059cbb00',
    ...changes,
  }
}

function preconfirmed({ hash, sender, recipient, value, nonce, input, method }: PoolTransaction, position = 0) {
  const { pos: _, error: __, ...row } = transactionOf(HEAD + 1, position)
  const transfer = { kind: 20, token, sender: ann, recipient: bob, amount: 5n, tokenId: null } as const
  return {
    ...row,
    ...{ hash, sender, recipient, value, nonce, input, method, position, flashblockIndex: 0 },
    transfers: [{ ...transfer, index: position, logIndex: position }],
    block: { height: HEAD + 1, hash: hexOf(32, 0xf0), timestampMs: 9 },
  } satisfies PendingTransactionRow
}

async function explorerWith({ isShown = true, trace = true } = {}) {
  const database = await databases[0]!.open()
  closing.push(() => database.close())
  await writeChain(database, { blocks: Array.from({ length: HEAD + 1 }, (_, height) => blockWith(height)) })
  const ledger = createLedgerMirror()
  const pool = createTransactionPool()
  const asked: Hex[] = []
  const find = async (hashes: readonly Hex[]) => {
    asked.push(...hashes)
    return isShown
  }
  const frame = {
    type: 'call' as const,
    from: 1n,
    to: 2n,
    value: 3n,
    gas: 4n,
    gasUsed: 5n,
    input: new Uint8Array(),
    output: new Uint8Array(),
    error: null,
    revertReason: null,
    calls: [],
  }
  const handlers = createExplorer({
    readers: createChainReaders(database),
    names,
    challengePeriodS: 0,
    ledger,
    pool: { ...pool, find },
    tracePending: async () => (trace ? { frame: { ...frame, calls: [frame] }, unread: [] } : undefined),
  })
  const announce = (row: PendingTransactionRow): void => {
    const preconfirmation = { height: row.block.height, flashblockIndex: 0, position: row.position, atMs: 50 }
    const record = preconfirmedAs(firstSight({ hash: row.hash, seenMs: 40, seenBy: 'feed' }), preconfirmation)
    ledger.take([
      { type: 'transaction', record },
      { type: 'pending', rows: [row] },
    ])
  }
  return { ...handlers, database, pool, announce, asked }
}

describe('a transaction that waits in a pool', () => {
  test('a transaction that waits in a pool is in every list that will show it, as pending, without what nobody knows yet', async () => {
    const explorer = await explorerWith()
    explorer.pool.read({ type: 'content', transactions: [waiting(1)] }, 30)
    const { hash } = waiting(1)
    const pending = { state: 'pending', stage: 'seen', height: '', blockHash: '', transactionTime: '30' }
    const page = { chainShortName, page: 1, limit: 20 }
    const lists = await Promise.all([
      explorer.addressTransactionList({ ...page, address: bob, protocolType: 'transaction' }, context),
      explorer.normalTransactionList({ ...page, address: ann }, context),
      explorer.transactionList(page, context),
      explorer.largeTransactionList({ ...page, type: '100' }, context),
      explorer.unconfirmedTransactionList(page, context),
    ])
    const [e3, e4, e8, e7, unconfirmed] = lists.map(({ data: [element] }) => element)
    expect((e3 as { transactionLists: object[] }).transactionLists[0]).toMatchObject({ txId: hash, ...pending })
    expect(firstOf(e4)).toMatchObject({ txId: hash, ...pending, nonce: '1', gasUsed: '', txFee: '' })
    for (const list of [e8, e7, unconfirmed]) expect(firstOf(list)).toMatchObject({ txid: hash, ...pending, txfee: '' })
    expect(lists.map(({ data: [element] }) => element.pendingComplete)).toEqual([true, true, true, true, true])
    const [filled] = (await explorer.transactionFills({ chainShortName, txid: [hash] }, context)).data
    expect(filled).toMatchObject({ txid: hash, ...pending, index: '', confirm: '0', inputData: '0xa9059cbb00' })
    expect(filled).toMatchObject({ internalTransactionsComplete: false, contractDetails: [] })
    const multi = await explorer.transactionMulti({ chainShortName, txId: [hash] }, context)
    expect(multi).toMatchObject({ data: [{ txId: hash, ...pending }], isVolatile: true })
  })

  test('a transaction that waits in a pool is not counted twice once it is sealed, with or without a feed', async () => {
    const { pool, database, transactionList, unconfirmedTransactionList } = await explorerWith()
    pool.read({ type: 'content', transactions: [waiting(1)] }, 30)
    const sealed = transactionOf(HEAD + 1, 0, { hash: waiting(1).hash, sender: ann, recipient: bob })
    await writeChain(database, { blocks: [{ ...blockWith(HEAD + 1), transactions: [sealed] }] })
    const page = { chainShortName, page: 1, limit: 50 }
    const { transactionList: rows, totalPage } = (await transactionList(page, context)).data[0]
    expect(rows.map(({ state }) => state)).toEqual(Array(HEAD + 2).fill('success'))
    expect(totalPage).toBe('1')
    expect((await unconfirmedTransactionList(page, context)).data[0].transactionList).toEqual([])
  })

  test('a walk through a list shows each transaction once, although waiting ones are preconfirmed and sealed on the way', async () => {
    const { pool, database, announce, transactionList } = await explorerWith()
    const all = [1, 2, 3, 4].map((nonce) => waiting(nonce))
    pool.read({ type: 'content', transactions: all }, 30)
    const walked: string[] = []
    let after: string | undefined
    for (let step = 0; after !== ''; step++) {
      const { transactionList: rows, nextCursor } = (
        await transactionList({ chainShortName, page: 1, limit: 1, after }, context)
      ).data[0]
      walked.push(...rows.map(({ txid }) => txid))
      after = nextCursor
      // The newest, which was shown, and an older one, which was not, are sealed; another one is preconfirmed.
      if (step === 0) {
        const sealed = [all[3]!, all[1]!].map(({ hash }, i) =>
          transactionOf(HEAD + 1, i, { hash, sender: ann, recipient: bob }),
        )
        await writeChain(database, { blocks: [{ ...blockWith(HEAD + 1), transactions: sealed }] })
        pool.read({ type: 'content', transactions: [all[0]!, all[2]!] }, 40)
      }
      if (step === 1)
        announce({ ...preconfirmed(all[0]!), block: { height: HEAD + 2, hash: hexOf(32, 1), timestampMs: 1 } })
    }
    const stored = [2, 1, 0].map((height) => transactionOf(height, 0).hash)
    expect(walked).toEqual([...all.toReversed().map(({ hash }) => hash), ...stored])
  })

  test('a transaction that waits for another one of its sender is no newest transaction', async () => {
    const { pool, transactionList, unconfirmedTransactionList } = await explorerWith()
    pool.read({ type: 'content', transactions: [waiting(9, { isQueued: true })] }, 30)
    const page = { chainShortName, page: 1, limit: 50 }
    expect((await transactionList(page, context)).data[0].transactionList).toHaveLength(HEAD + 1)
    expect((await unconfirmedTransactionList(page, context)).data[0].transactionList).toHaveLength(1)
  })

  test('a pool that the node does not show is marked in every list, and the node is asked for hashes', async () => {
    const { pool, asked, ...explorer } = await explorerWith({ isShown: false })
    pool.read({ type: 'hidden', reason: 'the node does not show its pool' }, 30)
    const page = { chainShortName, page: 1, limit: 50 }
    expect((await explorer.unconfirmedTransactionList(page, context)).data[0]).toMatchObject({
      pendingComplete: false,
      pendingNote: 'the node does not show its pool',
      transactionList: [],
    })
    const lists = await Promise.all([
      explorer.transactionList(page, context),
      explorer.tokenTransferList({ ...page, tokenContractAddress: token }, context),
      explorer.tokenTransactionList({ ...page, address: ann, protocolType: 'token_20' }, context),
    ])
    expect(lists.map(({ data: [element] }) => element.pendingComplete)).toEqual([false, false, false])
    const unknown = hexOf(32, 0xdead)
    const multi = await explorer.transactionMulti({ chainShortName, txId: [unknown] }, context)
    expect(multi).toMatchObject({ data: [], msg: expect.stringContaining('may be missing') })
    expect(asked).toEqual([unknown])
  })
})

describe('a preconfirmed transaction', () => {
  test('a preconfirmed transaction shows its call data, its token transfers and its calls before it is sealed', async () => {
    const { announce, ...explorer } = await explorerWith()
    const { hash } = waiting(1)
    announce(preconfirmed(waiting(1)))
    const pending = { state: 'pending', stage: 'preconfirmed', height: '3', transactionTime: '40' }
    const [filled] = (await explorer.transactionFills({ chainShortName, txid: [hash] }, context)).data
    expect(filled).toMatchObject({
      ...pending,
      txid: hash,
      index: '0',
      inputData: '0xa9059cbb00',
      tokenTransferDetails: [{ tokenContractAddress: token, from: ann, to: bob, amount: '5' }],
      contractDetails: [{ operation: 'call', state: 'pending' }],
      internalTransactionsComplete: true,
    })
    const page = { chainShortName, page: 1, limit: 20 }
    const e11 = await explorer.tokenTransferMulti({ ...page, txId: [hash] }, context)
    expect(e11.data[0].tokenTransferDetails).toMatchObject([{ txId: hash, transactionTime: '40', amount: '5' }])
    const e14 = await explorer.internalTransactionDetail({ ...page, txId: hash }, context)
    expect(e14.data[0]).toMatchObject({
      internalTransactionsComplete: true,
      internalTransactionDetails: [{ txId: hash, state: 'pending', operation: 'call' }],
    })
    const e6 = await explorer.blockTransactionList({ ...page, height: HEAD + 1, protocolType: 'transaction' }, context)
    expect(e6.data[0].blockList).toMatchObject([{ txid: hash, state: 'pending' }])
    const transfers = { ...page, address: bob, protocolType: 'token_20' as const }
    const e3 = await explorer.addressTransactionList(transfers, context)
    expect(e3.data[0].transactionLists).toMatchObject([{ txId: hash, state: 'pending', tokenContractAddress: token }])
    expect((await explorer.tokenTransactionList(transfers, context)).data[0].transactionList).toHaveLength(1)
    // Calls of all preconfirmed transactions are not known, and the list says so.
    const internals = await explorer.internalTransactionList({ ...page, address: bob }, context)
    expect(internals.data[0]).toMatchObject({ pendingComplete: false, transactionList: [] })
  })

  test('a preconfirmed transaction that cannot be traced is marked', async () => {
    const { announce, internalTransactionMulti } = await explorerWith({ trace: false })
    announce(preconfirmed(waiting(1)))
    const params = { chainShortName, page: 1, limit: 20, txId: [waiting(1).hash] }
    expect((await internalTransactionMulti(params, context)).data[0].internalTransactionsComplete).toBe(false)
  })
})

function firstOf(element: unknown): unknown {
  return (element as { transactionList: readonly unknown[] }).transactionList[0]
}
