// Creations in blocks that the node does not trace: whether a contract came of them is found out from code and nonce.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signed } from '../../devnet/chain/chain-for-tests.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { chainState } from '../../src/store/read/chain-state.ts'
import { contractCreations, possibleContracts } from '../../src/store/read/contracts.ts'
import { type NodeProxy, startProxy } from '../../src/upstream/node/proxy-for-tests.ts'
import { databases } from '../support/databases.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { type Indexer, startIndexer } from '../support/indexer.ts'

/** Constructors by what they leave. */
const CONSTRUCTORS = {
  // Returns one byte of code.
  code: '0x60016000f3',
  // Returns nothing.
  'no code': '0x00',
  // Destroys itself.
  nothing: '0x33ff',
} as const satisfies Record<string, Hex>

let devnet: Devnet
let proxy: NodeProxy
let database: Database
let indexer: Indexer
const created = new Map<string, { readonly address: Hex; readonly hash: Hex }>()
beforeAll(async () => {
  devnet = await startStillDevnet()
  for (const [nonce, [left, code]] of Object.entries(CONSTRUCTORS).entries()) {
    const { raw } = signed({ nonce, to: null, value: 0n, gas: 200_000n, data: hexToBytes(code) })
    const hash: Hex = await rpc(devnet.url, 'eth_sendRawTransaction', bytesToHex(raw))
    await rpc(devnet.url, 'devnet_seal')
    const { contractAddress, status } = await rpc(devnet.url, 'eth_getTransactionReceipt', hash)
    expect(status).toBe('0x1')
    created.set(left, { address: contractAddress, hash })
  }
  const payment = signed({ nonce: created.size })
  await rpc(devnet.url, 'eth_sendRawTransaction', bytesToHex(payment.raw))
  await rpc(devnet.url, 'devnet_seal')
  proxy = await startProxy(devnet.url, {
    refuse: (method) =>
      /^(debug|trace)_/.test(method) ? { code: -32601, message: `the method ${method} does not exist` } : undefined,
  })
  database = await databases[0]!.open()
  indexer = startIndexer({ url: proxy.url, database })
  await indexer.reaches((await rpc(devnet.url, 'eth_getBlockByNumber', 'latest', false)).hash)
}, 120_000)
afterAll(async () => {
  await indexer?.stop()
  await database?.close()
  proxy?.stop()
  await devnet?.stop()
})

test('an untraced creation is a contract if it left code or destroyed itself, and an account if it left no code', async () => {
  const known = await contractCreations(
    database,
    [...created.values()].map(({ address }) => address),
  )
  const creationOf = (left: string) => known.get(created.get(left)!.address)?.transactionHash
  expect(creationOf('code')).toBe(created.get('code')!.hash)
  expect(creationOf('nothing')).toBe(created.get('nothing')!.hash)
  expect(creationOf('no code')).toBeUndefined()
})

test('whoever was only paid may have been a contract in calls that are not known, whoever sends transactions is an account', async () => {
  const [sender, paid] = [developers[0]!.address, `0x${'b0b'.padStart(40, '0')}` as Hex]
  expect((await chainState(database)).hasUnknownCalls).toBe(true)
  expect(await possibleContracts(database, [sender, paid])).toEqual(new Set([paid]))
})
