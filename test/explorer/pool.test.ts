// The pool of a real node, from a transaction that waits there to the block that has it. No feed, and nothing is sent through us.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signed } from '../../devnet/chain/chain-for-tests.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { bytesToHex } from '../../src/chain/bytes/hex.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { type IndexedServer, startIndexedServer } from '../support/indexed-server.ts'
import { until } from '../support/until.ts'

const SLOW = 120_000
const chainShortName = 'dev'
let devnet: Devnet
let server: IndexedServer
beforeAll(async () => {
  devnet = await startStillDevnet()
  const dataDir = mkdtempSync(join(tmpdir(), 'firstlight-pool-'))
  server = await startIndexedServer(devnet.url, { url: undefined, dataDir }, { POOL_READ_MS: '100' })
}, SLOW)
afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

test(
  'a transaction in the pool of a node is unconfirmed and pending until a block has it',
  async () => {
    const { raw, hash } = signed()
    const sentMs = Date.now()
    await rpc(devnet.url, 'eth_sendRawTransaction', bytesToHex(raw))
    const unconfirmed = async () => (await server.client.unconfirmedTransactionList({ chainShortName })).data[0]
    const { transactionList, pendingComplete } = await until(unconfirmed, (list) => list.transactionList.length > 0)
    expect(pendingComplete).toBe(true)
    expect(transactionList).toMatchObject([{ txid: hash, state: 'pending', stage: 'seen', height: '', txfee: '' }])
    expect(Number(transactionList[0]!.transactionTime)).toBeGreaterThanOrEqual(sentMs)
    const newest = async () => (await server.client.transactionList({ chainShortName })).data[0].transactionList[0]
    expect(await newest()).toMatchObject({ txid: hash, state: 'pending' })
    expect(await (await fetch(`${server.url}/txs/pending`)).text()).toContain(hash)
    await rpc(devnet.url, 'devnet_seal')
    await until(unconfirmed, (list) => list.transactionList.length === 0)
    expect(await until(newest, (row) => row?.txid === hash && row.state !== 'pending')).toMatchObject({
      state: 'success',
    })
  },
  SLOW,
)
