// Balances are compared with the node's by height, and a reorg may come between a block and the question.
import { expect, test } from 'vitest'
import { toQuantity } from '../../src/chain/bytes/hex.ts'
import { nativeBalances } from '../../src/store/schema/tables.ts'
import { startProxy } from '../../src/upstream/node/proxy-for-tests.ts'
import { databases } from '../support/databases.ts'
import { rpc, startStillDevnet } from '../support/devnet.ts'
import { startIndexer } from '../support/indexer.ts'
import { signedPayment } from '../support/payments.ts'

test('a balance that the node reports for a block that replaced another one is no mismatch', async () => {
  const devnet = await startStillDevnet()
  const database = await databases[0]!.open()
  await rpc(devnet.url, 'eth_sendRawTransaction', (await signedPayment(devnet.url)).raw)
  const paidIn = await rpc(devnet.url, 'devnet_seal')
  let replacement: string | undefined
  const node = await startProxy(devnet.url, {
    async rewrite(method, result, [address, at]) {
      // The client asks for the balance of address 1 to find out which states the node has.
      if (method !== 'eth_getBalance' || at !== '0x1' || BigInt(address) === 1n) return result
      // The payment comes a block later now.
      replacement ??= await rpc(devnet.url, 'devnet_reorg', toQuantity(1))
      return rpc(devnet.url, method, address, at)
    },
  })
  const indexer = startIndexer({ url: node.url, database }, { balanceSamples: 100 })
  await indexer.reaches(paidIn)
  await rpc(devnet.url, 'devnet_seal')
  const tip = await rpc(devnet.url, 'eth_getBlockByNumber', 'latest', false)
  expect(tip.parentHash).toBe(replacement)
  await indexer.reaches(tip.hash)
  await indexer.stop()

  const { reorgs, balancesHealed } = indexer.progress()
  expect({ reorgs, balancesHealed }).toEqual({ reorgs: 1, balancesHealed: 0 })
  const rows = await database.all(`select ${nativeBalances.select()} from native_balances`)
  for (const { address, balance } of rows.map((row) => nativeBalances.decode(row))) {
    const reported = await rpc(devnet.url, 'eth_getBalance', address, tip.number)
    expect([address, balance]).toEqual([address, BigInt(reported)])
  }
  node.stop()
  await devnet.stop()
  await database.close()
}, 60_000)
