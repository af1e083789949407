// Blocks, transactions, what they did and what they logged: every field, on both engines, against what the node's own
// JSON-RPC says. A devnet full of life, a whole Firstlight beside it, signed requests.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError, type Client } from '../../src/client/client.ts'
import { databases } from '../support/databases.ts'
import { createDetails } from '../support/expected-details.ts'
import { createRecords, names } from '../support/expected-records.ts'
import { type IndexedServer, startIndexedServer } from '../support/indexed-server.ts'
import { walk } from '../support/list-walk.ts'
import { type LivingChain, newestFirst, PREPARE_TIMEOUT_MS, startLivingChain } from '../support/living-chain.ts'
import type { Hex, NodeFacts } from '../support/node-facts.ts'
import { createSender } from '../support/sender.ts'
import { sideBySide } from '../support/side-by-side.ts'

const chainShortName = 'dev'

let chain: LivingChain
let facts: NodeFacts
let records: ReturnType<typeof createRecords>

beforeAll(async () => {
  chain = await startLivingChain({ blocks: 60 })
  facts = chain.facts
  records = createRecords(facts)
}, PREPARE_TIMEOUT_MS)

afterAll(async () => {
  await chain?.stop()
})

test('the devnet did enough for wrong answers to be noticed', () => {
  expect(facts.transactions.length).toBeGreaterThan(150)
  expect(facts.internals.length).toBeGreaterThan(100)
  expect(new Set(facts.transfers.map(({ kind }) => kind))).toEqual(new Set([20, 721, 1155]))
  expect(new Set(facts.transactions.map(({ raw }) => raw.type)).size).toBeGreaterThan(2)
  expect(facts.transactions.some(({ receipt }) => receipt.status === '0x0')).toBe(true)
  expect(facts.internals.some(({ failed }) => failed)).toBe(true)
})

// Every record is asked for: hundreds of requests a test.
describe.each(databases)('the explorer on $engine', { timeout: PREPARE_TIMEOUT_MS }, ({ place }) => {
  let server: IndexedServer
  let api: Client

  beforeAll(async () => {
    server = await startIndexedServer(chain.url, await place())
    api = server.client
  }, PREPARE_TIMEOUT_MS)

  afterAll(async () => {
    await server?.stop()
  })

  test('E5 lists every block, and one by its height', async () => {
    const expected = newestFirst(facts.blocks).map(records.blockListItem)
    expect(await walk((paging) => api.blockList({ chainShortName, ...paging }), 'blockList')).toEqual(expected)
    const { data } = await api.blockList({ chainShortName, height: '5' })
    expect(data).toEqual([
      { page: '1', limit: '20', totalPage: '1', nextCursor: '', ...names, blockList: [expected.at(-6)] },
    ])
    await expect(api.blockList({ chainShortName, height: '999999' })).rejects.toMatchObject({ code: '50040' })
  })

  test('E9 gives every field of every block', async () => {
    await sideBySide(facts.blocks, async (block) => {
      const { data } = await api.blockFills({ chainShortName, height: String(block.height) })
      expect(data).toEqual([records.blockDetail(block)])
    })
    await expect(api.blockFills({ chainShortName, height: '999999' })).rejects.toThrow(ApiError)
  })

  test('E6 lists transactions, internal transactions and transfers of every block in order', async () => {
    await sideBySide(facts.blocks, async (block) => {
      const listOf = (
        protocolType: 'transaction' | 'internal' | 'token_20' | 'token_721' | 'token_1155' | 'token_10',
      ) =>
        walk(
          (paging) =>
            api.blockTransactionList({ chainShortName, height: String(block.height), protocolType, ...paging }),
          'blockList',
          20,
        )
      expect(await listOf('transaction')).toEqual(block.transactions.map(records.inBlock))
      const inBlock = <T extends { transaction: { block: unknown } }>(rows: readonly T[]) =>
        rows.filter(({ transaction }) => transaction.block === block)
      expect(await listOf('internal')).toEqual(inBlock(facts.internals).map(records.internalInBlock))
      for (const kind of [20, 721, 1155] as const) {
        const expected = inBlock(facts.transfers).filter((transfer) => transfer.kind === kind)
        expect(await listOf(`token_${kind}`)).toEqual(expected.map(records.transferInBlock))
      }
      expect(await listOf('token_10')).toEqual([])
    })
  })

  test('E8 lists every transaction, and those of one block', async () => {
    const expected = newestFirst(facts.transactions).map(records.latest)
    const listed = await walk((paging) => api.transactionList({ chainShortName, ...paging }), 'transactionList', 50)
    expect(listed).toEqual(expected)
    const block = facts.blocks.find(({ transactions }) => transactions.length > 3)!
    const ofBlock = newestFirst(block.transactions).map(records.latest)
    for (const filter of [
      { height: String(block.height) },
      { blockHash: block.raw.hash },
      { height: String(block.height), blockHash: block.raw.hash },
    ]) {
      const ask = (paging: object) => api.transactionList({ chainShortName, ...filter, ...paging })
      expect(await walk(ask, 'transactionList', 2)).toEqual(ofBlock)
    }
    const mismatched = { height: '1', blockHash: block.raw.hash }
    expect((await api.transactionList({ chainShortName, ...mismatched })).data[0].transactionList).toEqual([])
  })

  test('E7 lists what moves more than a threshold', async () => {
    for (const type of ['100', '1999.999999999999999999', '2000', '4000']) {
      const threshold = BigInt(type.split('.')[0]!) * 10n ** 18n + BigInt((type.split('.')[1] ?? '').padEnd(18, '0'))
      const expected = newestFirst(facts.transactions).filter(({ raw }) => BigInt(raw.value) > threshold)
      const listed = await walk(
        (paging) => api.largeTransactionList({ chainShortName, type, ...paging }),
        'transactionList',
      )
      expect(listed).toEqual(expected.map(records.latest))
    }
    expect(facts.transactions.some(({ raw }) => BigInt(raw.value) === 2000n * 10n ** 18n)).toBe(true)
  })

  test('E10 gives transactions by hash, in the order asked for', async () => {
    for (let i = 0; i < facts.transactions.length; i += 19) {
      const asked = newestFirst(facts.transactions.slice(i, i + 19))
      const txId = [...asked.map(({ raw }) => raw.hash), `0x${'00'.repeat(32)}`].join(',')
      expect((await api.transactionMulti({ chainShortName, txId })).data).toEqual(asked.map(records.normal))
    }
  })

  test('E11, E13 and E14 give what transactions did, as it happened', async () => {
    for (let i = 0; i < facts.transactions.length; i += 20) {
      const asked = facts.transactions.slice(i, i + 20)
      const txId = asked.map(({ raw }) => raw.hash).join(',')
      const ofAsked = <T extends { transaction: unknown }>(rows: readonly T[]) =>
        rows.filter(({ transaction }) => asked.includes(transaction as never))
      const transfers = ofAsked(facts.transfers)
      for (const list of ['tokenTransferDetails', 'transactionList']) {
        const ask = (paging: object) => api.tokenTransferMulti({ chainShortName, txId, ...paging })
        expect(await walk(ask, list)).toEqual(transfers.map(records.transferByHash))
      }
      const ask721 = (paging: object) =>
        api.tokenTransferMulti({ chainShortName, txId, protocolType: 'token_721', ...paging })
      expect(await walk(ask721, 'transactionList')).toEqual(
        transfers.filter(({ kind }) => kind === 721).map(records.transferByHash),
      )
      for (const list of ['internalTransactionDetails', 'transactionList']) {
        const ask = (paging: object) => api.internalTransactionMulti({ chainShortName, txId, ...paging })
        expect(await walk(ask, list, 50)).toEqual(ofAsked(facts.internals).map(records.internalByHash))
      }
    }
    await sideBySide(facts.transactions, async (transaction) => {
      const expected = facts.internals.filter((internal) => internal.transaction === transaction)
      if (expected.length === 0) return
      const ask = (paging: object) =>
        api.internalTransactionDetail({ chainShortName, txId: transaction.raw.hash, ...paging })
      expect(await walk(ask, 'internalTransactionDetails', 50)).toEqual(
        expected.map((internal) => {
          const { blockHash: _, ...rest } = records.internalByHash(internal)
          return { ...rest, state: internal.failed ? 'fail' : 'success' }
        }),
      )
    })
  })

  test('E17, E18, E19 and logs by topic give the logs, the newest first', async () => {
    const emitters = [...new Set(facts.logs.map(({ raw }) => raw.address as Hex))]
    for (const address of emitters) {
      const logs = newestFirst(facts.logs).filter(({ raw }) => raw.address === address)
      expect((await api.logsByAddress({ chainShortName, address })).data).toEqual(logs.map(records.log))
      const range = { startBlockHeight: '10', endBlockHeight: '40' }
      const within = logs.filter(({ transaction: { block } }) => block.height >= 10 && block.height <= 40)
      expect((await api.logsByBlockAndAddress({ chainShortName, address, ...range })).data).toEqual(
        within.map(records.log),
      )
      const [topic0, topic1] = logs[0]!.raw.topics as [Hex, Hex | undefined]
      const asked = logs.filter(({ raw }) => raw.topics[0] === topic0 && (!topic1 || raw.topics[1] === topic1))
      const { data } = await api.logsByAddressAndTopic({ chainShortName, address, topic0, ...(topic1 && { topic1 }) })
      expect(data).toEqual(asked.map(records.log))
    }
    for (const { raw, receipt } of facts.transactions) {
      if (receipt.logs.length === 0) continue
      const expected = newestFirst(facts.logs.filter(({ transaction }) => transaction.raw === raw)).map(records.log)
      expect((await api.logsByTransaction({ chainShortName, txId: raw.hash })).data).toEqual(expected)
    }
  })

  test('contracts are shown with their creators, factories included', async () => {
    const byTransaction = facts.transactions.filter(({ receipt, raw }) => raw.to === null && receipt.status === '0x1')
    const byFactory = facts.internals.filter(({ frame, failed }) => !failed && /^CREATE/.test(frame.type))
    const creations = [
      ...byTransaction.map((transaction) => ({
        transaction,
        address: transaction.receipt.contractAddress,
        factory: '',
      })),
      ...byFactory.map(({ transaction, frame }) => ({ transaction, address: frame.to, factory: frame.from })),
    ]
    expect(byFactory.length).toBeGreaterThan(0)
    for (const { transaction, address, factory } of creations) {
      const { data } = await api.contractCreationInfo({ chainShortName, contractAddress: address })
      expect(data).toEqual([
        {
          contractAddress: address,
          contractCreator: transaction.raw.from,
          contractFactory: factory === transaction.raw.from ? '' : factory,
          txId: transaction.raw.hash,
          height: String(transaction.block.height),
          transactionTime: String(Number(transaction.block.raw.timestamp) * 1000),
        },
      ])
    }
  })

  test('transaction details hold the call data, the transfers and the calls', async () => {
    const detailsOf = createDetails(facts)
    await sideBySide(facts.transactions, async (transaction) => {
      const { data } = await api.transactionFills({ chainShortName, txid: transaction.raw.hash })
      expect(data).toEqual([detailsOf(transaction)])
    })
  })

  test('a time gives the block before it and the one after it', async () => {
    const timeOf = (height: number) => Number(facts.blocks[height]!.raw.timestamp) * 1000
    const heightAt = async (time: number, closest: 'before' | 'after') =>
      Number((await api.blockHeightByTime({ chainShortName, time: String(time), closest })).data[0].height)
    for (const height of [1, 20, 40]) {
      const before = await heightAt(timeOf(height) + 1, 'before')
      expect(timeOf(before)).toBe(timeOf(height))
      expect(timeOf(before + 1)).toBeGreaterThan(timeOf(height))
      const after = await heightAt(timeOf(height) - 1, 'after')
      expect(timeOf(after)).toBe(timeOf(height))
      expect(timeOf(after - 1)).toBeLessThan(timeOf(height))
    }
    const early = api.blockHeightByTime({ chainShortName, time: '1', closest: 'before' })
    await expect(early).rejects.toMatchObject({ code: '50040' })
  })

  test('a whole list comes as lines of JSON or as a table', async () => {
    const sender = createSender(server)
    const stream = (target: string, accept: string) => sender.signed({ target, headers: { accept } })
    const target = '/api/v5/chain/transaction/transaction-list?chainShortName=dev&limit=3'
    const ndjson = await stream(target, 'application/x-ndjson')
    const expected = newestFirst(facts.transactions).map(records.latest)
    expect(
      ndjson.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(expected)
    expect(ndjson.headers['content-type']).toMatch('application/x-ndjson')

    const csv = await stream(target, 'text/csv')
    const [names, ...lines] = csv.text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const shown = expected.map((record) => names!.map((name) => String(record[name as keyof typeof record])))
    expect(lines).toEqual(shown)
    expect(new Set(names)).toEqual(new Set(Object.keys(expected[0]!)))

    const { address } = facts.logs.at(-1)!.raw
    const logs = await stream(
      `/api/v5/chain/log/by-address?chainShortName=dev&address=${address}`,
      'application/x-ndjson',
    )
    expect(logs.text.trim().split('\n')).toHaveLength(facts.logs.filter(({ raw }) => raw.address === address).length)
    const unknown = await stream('/api/v5/chain/block/block-fills?chainShortName=dev&height=999999', 'text/csv')
    expect(unknown).toMatchObject({ status: 200, code: '50040' })
    sender.close()
  })

  test('a wrong cursor is refused, and what nobody verified is an empty list', async () => {
    await expect(api.blockList({ chainShortName, after: 'AbC-123_z' })).rejects.toMatchObject({ code: '51000' })
    const contractAddress = `0x${'77'.repeat(20)}`
    expect((await api.verifyContractInfo({ chainShortName, contractAddress })).data).toEqual([])
  })
})
