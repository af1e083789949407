// Over a node without traces: answers and pages that would list internal transactions say that they do not know them all.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NodeProxy, startProxy } from '../../src/upstream/node/proxy-for-tests.ts'
import { type IndexedServer, startIndexedServer } from '../support/indexed-server.ts'
import { type LivingChain, PREPARE_TIMEOUT_MS, startLivingChain } from '../support/living-chain.ts'

const BLOCKS = 8
const chainShortName = 'dev'
let chain: LivingChain
let proxy: NodeProxy
let server: IndexedServer
/** A transaction that made internal ones. */
let txId: string
let height: string
let address: string
beforeAll(async () => {
  chain = await startLivingChain({ blocks: BLOCKS })
  const { raw, block } = chain.facts.internals[0]!.transaction
  txId = raw.hash
  height = String(block.height)
  address = raw.from
  proxy = await startProxy(chain.url, {
    refuse: (method) =>
      /^(debug|trace)_/.test(method)
        ? { code: -32601, message: `the method ${method} does not exist/is not available` }
        : undefined,
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'firstlight-internals-'))
  server = await startIndexedServer(proxy.url, { url: undefined, dataDir })
}, PREPARE_TIMEOUT_MS)
afterAll(async () => {
  await server?.stop()
  proxy?.stop()
  await chain?.stop()
})

test('a ranking by native balance says that addresses may be missing where calls are not known', async () => {
  const { data } = await server.client.nativeTokenPositionList({ chainShortName })
  expect(data[0]).toMatchObject({ balancesComplete: false })
  expect(await pageAt('/accounts')).toContain('Addresses may be missing')
})

async function pageAt(path: string): Promise<string> {
  return (await fetch(`${server.url}${path}`)).text()
}

const unknown = { internalTransactionsComplete: false }

test('incomplete internal transactions are marked in E13, E14 and the details of a transaction', async () => {
  const multi = await server.client.internalTransactionMulti({ chainShortName, txId })
  expect(multi.data[0]).toMatchObject({ ...unknown, internalTransactionDetails: [] })
  const detail = await server.client.internalTransactionDetail({ chainShortName, txId })
  expect(detail.data[0]).toMatchObject({ ...unknown, internalTransactionDetails: [] })
  const fills = await server.client.transactionFills({ chainShortName, txid: txId })
  expect(fills.data[0]).toMatchObject({ ...unknown, contractDetails: [] })
})

test('incomplete internal transactions are marked in lists of a block and of an address, and only there', async () => {
  const ofBlock = (protocolType: 'internal' | 'transaction') =>
    server.client.blockTransactionList({ chainShortName, height, protocolType })
  expect((await ofBlock('internal')).data[0]).toMatchObject({ ...unknown, blockList: [] })
  expect((await ofBlock('transaction')).data[0]).not.toHaveProperty('internalTransactionsComplete')
  const ofAddress = await server.client.addressTransactionList({ chainShortName, address, protocolType: 'internal' })
  expect(ofAddress.data[0]).toMatchObject({ ...unknown, transactionLists: [] })
  const internal = await server.client.internalTransactionList({ chainShortName, address })
  expect(internal.data[0]).toMatchObject({ ...unknown, transactionList: [] })
  // Nothing was traced in block 0, and nothing had to be.
  const genesis = await server.client.internalTransactionList({ chainShortName, address, endBlockHeight: '0' })
  expect(genesis.data[0]).toMatchObject({ internalTransactionsComplete: true })
})

test('incomplete internal transactions are marked on the pages of transaction, block and address', async () => {
  expect(await pageAt(`/tx/${txId}?tab=internal`)).toContain(
    'Not all internal transactions of this transaction are known',
  )
  expect(await pageAt(`/block/${height}?tab=internal`)).toContain(
    'Not all internal transactions of this block are known',
  )
  expect(await pageAt(`/address/${address}?tab=internal`)).toContain(
    'Not all internal transactions of this address are known',
  )
})

test('incomplete internal transactions are refused by the Etherscan dialect rather than listed as none', async () => {
  const answer = await fetch(
    `${server.url}/api?module=account&action=txlistinternal&address=${address}&apikey=${server.credentials.key}`,
  )
  expect(await answer.json()).toMatchObject({ status: '0', message: 'NOTOK', result: expect.stringContaining('trace') })
})
