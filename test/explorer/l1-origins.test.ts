// Where deposits come from, as a whole Firstlight answers it: the devnet's blocks say which L1 block they follow, and an L1 beside it,
// which is all the devnet lacks, has the logs of the deposits.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { concat, keccak256, pad, toEventSelector, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { startIndexedServer } from '../support/indexed-server.ts'
import { type Hex, quantity } from '../support/node-facts.ts'
import { until } from '../support/until.ts'

const PREPARE_MS = 120_000
const DEPOSITED = toEventSelector('TransactionDeposited(address,address,uint256,bytes)')
const depositor: Hex = '0x11a0c0de00000000000000000000000000000009'

type Deposit = { readonly hash: Hex; readonly sourceHash: Hex; readonly blockNumber: Hex }
type L1Log = { readonly blockHash: Hex; readonly logIndex: Hex; readonly transactionHash: Hex }

let devnet: Awaited<ReturnType<typeof startStillDevnet>>
let l1: Server
/** The oldest first. */
const deposits: (Deposit & { readonly log: L1Log })[] = []

beforeAll(async () => {
  devnet = await startStillDevnet()
  for (const value of ['0x1', '0x2', '0x3'] as const) deposits.push(await depositOf(value))
  l1 = createServer(async (request, response) => {
    const calls = JSON.parse(await text(request))
    const answers = [calls].flat().map(({ id, params: [{ blockHash, topics }] }) => ({
      jsonrpc: '2.0',
      id,
      result:
        topics[0] === DEPOSITED ? deposits.map(({ log }) => log).filter((log) => log.blockHash === blockHash) : [],
    }))
    response.end(JSON.stringify(Array.isArray(calls) ? answers : answers[0]))
  })
  await new Promise<void>((resolve) => l1.listen(0, '127.0.0.1', resolve))
}, PREPARE_MS)

afterAll(async () => {
  l1?.close()
  await devnet?.stop()
})

/** The devnet's L1 has a block every twelve seconds: a deposit just before one is named by the block before, and is sent again. */
async function depositOf(value: Hex): Promise<Deposit & { log: L1Log }> {
  const hash = await rpc(devnet.url, 'devnet_deposit', { from: depositor, to: depositor, mint: value, value })
  await rpc(devnet.url, 'devnet_seal')
  const deposit: Deposit = await rpc(devnet.url, 'eth_getTransactionByHash', hash)
  const log = await logBehind(deposit)
  return log ? { ...deposit, log } : depositOf(value)
}

/** The log of L1 whose index in the block that the attributes name gives the source hash, by the OP Stack's words. */
async function logBehind({ sourceHash, blockNumber, hash }: Deposit): Promise<L1Log | undefined> {
  const block = await rpc(devnet.url, 'eth_getBlockByNumber', blockNumber, true)
  const blockHash: Hex = `0x${block.transactions[0].input.slice(2 + 200, 2 + 264)}`
  const sourceOf = (index: number) =>
    keccak256(concat([pad(toHex(0)), keccak256(concat([blockHash, pad(toHex(index))]))]))
  for (let index = 0; index < 10_000; index++) {
    if (sourceOf(index) === sourceHash) {
      return { blockHash, logIndex: quantity(index), transactionHash: keccak256(concat([hash, blockHash])) }
    }
  }
  return undefined
}

test('every deposit is listed with the L1 transaction that sent it', { timeout: PREPARE_MS }, async () => {
  const server = await startIndexedServer(devnet.url, await databases[0]!.place(), {
    L1_RPC_URL: `http://127.0.0.1:${(l1.address() as AddressInfo).port}`,
  })
  const listed = async () => {
    const { data } = await server.client.addressTransactionList({ chainShortName: 'dev', address: depositor })
    return data[0].transactionLists.map(({ txId, l1OriginHash }) => [txId, l1OriginHash])
  }
  const origins = deposits.map(({ hash, log }) => [hash, log.transactionHash]).reverse()
  // An L1 that takes more than its second is shown once it has answered.
  const withOrigins = async () => (await listed()).filter(([, origin]) => origin !== '')
  expect(await until(withOrigins, ({ length }) => length === origins.length)).toEqual(origins)
  await server.stop()
})
