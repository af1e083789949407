// What E20 and its sisters answer where nothing is executed: what the feed carries, and the node's answers.
import { describe, expect, test } from 'vitest'
import { send } from '../../devnet/chain/chain-for-tests.ts'
import { rpc } from '../support/devnet.ts'
import { alice, balanceOfAlice, startMiddleOfBlock, weth } from '../support/middle-of-block.ts'
import { startPendingRpc } from '../support/pending-rpc.ts'

describe('without state', () => {
  test('without state JSON-RPC answers what the feed itself carries, and calls from the canonical head', async () => {
    const { pending, sent, wrapped } = await startMiddleOfBlock({ isExecuting: false })
    expect(await pending.get('eth_getTransactionReceipt', wrapped)).toMatchObject({ status: '0x1', blockNumber: '0x2' })
    expect(await pending.get('eth_getTransactionByHash', sent)).toMatchObject({ blockNumber: '0x2' })
    expect(await pending.get('eth_getBalance', '0x0000000000000000000000000000000000000b0b', 'pending')).toBe('0x5')
    expect(await pending.get('eth_getTransactionCount', alice, 'pending')).toBe('0x2')
    expect(BigInt(await pending.get('eth_call', balanceOfAlice, 'pending'))).toBe(0n)
    expect((await pending.ask('eth_call', balanceOfAlice, '0x2')).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('the executor is off'),
    })
  })

  test('JSON-RPC never mixes moments in a batch: with a call in it, pending is latest', async () => {
    const { pending } = await startMiddleOfBlock({ isExecuting: false })
    const [height, balance] = await pending.batch(
      ['eth_blockNumber', 'pending'],
      ['eth_call', balanceOfAlice, 'pending'],
    )
    expect([height, BigInt(balance)]).toEqual(['0x1', 0n])
    const [alone] = await pending.batch(['eth_blockNumber', 'pending'], ['eth_getBlockByNumber', 'pending', false])
    expect(alone).toBe('0x2')
  })

  test('JSON-RPC fills in receipts that the feed leaves out', async () => {
    const { pending, wrapped } = await startMiddleOfBlock({ omitsReceipts: true })
    const receipt = await pending.get('eth_getTransactionReceipt', wrapped)
    expect(receipt).toMatchObject({ status: '0x1', logs: [{ address: weth }] })
    pending.devnet.chain.seal()
    expect(receipt).toEqual(await rpc(pending.nodeUrl, 'eth_getTransactionReceipt', wrapped))
  })

  test('JSON-RPC answers latest for pending where there is no feed', async () => {
    const pending = await startPendingRpc({ hasNoFeed: true })
    send(pending.devnet.chain, { from: 0, nonce: 0 })
    await pending.seal()
    for (const block of ['latest', 'pending']) {
      expect(await pending.get('eth_blockNumber', block)).toBe('0x1')
      expect(await pending.get('eth_getBlockByNumber', block, false)).toMatchObject({ number: '0x1' })
      expect(await pending.get('eth_getTransactionCount', alice, block)).toBe('0x1')
    }
    expect(await pending.batch(['eth_blockNumber', 'pending'], ['eth_getTransactionCount', alice, 'latest'])).toEqual([
      '0x1',
      '0x1',
    ])
    expect(await pending.get('eth_flashblocksEnabled')).toBe(false)
  })
})
