// Transactions that go through our RPC, and the wait for their receipts (EIP-7966).
import { describe, expect, test } from 'vitest'
import { signed } from '../../devnet/chain/chain-for-tests.ts'
import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { rpc } from '../support/devnet.ts'
import { startMiddleOfBlock } from '../support/middle-of-block.ts'
import { startPendingRpc } from '../support/pending-rpc.ts'

describe('sending', () => {
  test('a sent transaction goes to the node, and the ledger notes when it was seen', async () => {
    const seen: Hex[] = []
    const pending = await startPendingRpc({
      ledger: { stagesOf: () => null, seen: ({ hash }) => void seen.push(hash) },
    })
    const { raw, hash } = signed({ from: 0, nonce: 0 })
    expect(await pending.get('eth_sendRawTransaction', bytesToHex(raw))).toBe(hash)
    expect(seen).toEqual([hash])
    expect((await pending.ask('eth_sendRawTransaction', '0x1234')).error).toMatchObject({ code: -32000 })
  })

  test('sending waits for the preconfirmation, and no longer', async () => {
    const { pending } = await startMiddleOfBlock()
    const { raw, hash } = signed({ from: 0, nonce: 2 })
    const answering = pending.get('eth_sendRawTransactionSync', bytesToHex(raw), 30_000)
    while ((await rpc(pending.nodeUrl, 'eth_getTransactionByHash', hash)) === null) await sleep(2)
    await pending.step()
    expect(await answering).toMatchObject({ transactionHash: hash, blockNumber: '0x2', status: '0x1' })
    expect(await pending.get('eth_blockNumber')).toBe('0x1')
  })

  test('sending finds the receipt in the sealed block where the flashblock was lost', async () => {
    const { pending } = await startMiddleOfBlock({ loses: ({ height, index }) => height === 2 && index > 2 })
    const { chain } = pending.devnet
    const { raw, hash } = signed({ from: 0, nonce: 2 })
    const answering = pending.get('eth_sendRawTransactionSync', bytesToHex(raw), 30_000)
    while ((await rpc(pending.nodeUrl, 'eth_getTransactionByHash', hash)) === null) await sleep(2)
    // The first flashblock of the next block arrives before the node reports this block: something is pending all the time.
    while (chain.pending().header.number === 2) chain.step()
    expect(await answering).toMatchObject({ transactionHash: hash, blockNumber: '0x2' })
  })

  test('sending ends a wait with code 4 and the hash', async () => {
    const { pending } = await startMiddleOfBlock()
    const { raw, hash } = signed({ from: 0, nonce: 2 })
    expect((await pending.ask('eth_sendRawTransactionSync', bytesToHex(raw), 50)).error).toMatchObject({
      code: 4,
      data: hash,
    })
    expect((await pending.ask('eth_sendRawTransactionSync', bytesToHex(raw), 60_000)).error).toMatchObject({
      code: -32602,
    })
  })

  test('sending gives the receipt of a transaction that the pool or a block already has', async () => {
    const { pending } = await startMiddleOfBlock()
    const { raw, hash } = signed({ from: 0, nonce: 2 })
    await pending.get('eth_sendRawTransaction', bytesToHex(raw))
    const ofPool = pending.get('eth_sendRawTransactionSync', bytesToHex(raw), 30_000)
    await sleep(50)
    await pending.step()
    expect(await ofPool).toMatchObject({ transactionHash: hash, blockNumber: '0x2' })
    expect(await pending.get('eth_sendRawTransactionSync', bytesToHex(raw))).toMatchObject({ transactionHash: hash })
    await pending.seal()
    expect(await pending.get('eth_sendRawTransactionSync', bytesToHex(raw))).toMatchObject({ transactionHash: hash })
    expect((await pending.ask('eth_sendRawTransactionSync', '0x1234')).error).toMatchObject({ code: -32000 })
  })

  test('sending holds the request for the receipt of a transaction that was sent here until it is preconfirmed', async () => {
    const { pending } = await startMiddleOfBlock({ holdsReceipts: true })
    const { raw, hash } = signed({ from: 0, nonce: 2 })
    await pending.get('eth_sendRawTransaction', bytesToHex(raw))
    const answering = pending.get('eth_getTransactionReceipt', hash)
    expect(await pending.get('eth_getTransactionReceipt', `0x${'ab'.repeat(32)}`)).toBeNull()
    await pending.step()
    expect(await answering).toMatchObject({ transactionHash: hash, blockNumber: '0x2', status: '0x1' })
  })

  test('sending serves no receipt that the node has before the pending chain has its block', async () => {
    const { pending } = await startMiddleOfBlock({ loses: ({ height, index }) => height === 2 && index > 2 })
    const { raw, hash } = signed({ from: 0, nonce: 2, to: 0xb0bbn, value: 9n })
    await rpc(pending.nodeUrl, 'eth_sendRawTransaction', bytesToHex(raw))
    pending.devnet.chain.step()
    pending.devnet.chain.seal()
    let receipt = await pending.get('eth_getTransactionReceipt', hash)
    while (receipt === null) receipt = await pending.get('eth_getTransactionReceipt', hash)
    expect(await pending.get('eth_getBalance', '0x000000000000000000000000000000000000b0bb', 'pending')).toBe('0x9')
  })

  test('sending finds the receipt in the sealed block where there is no feed', async () => {
    const pending = await startPendingRpc({ hasNoFeed: true })
    const { raw, hash } = signed({ from: 0, nonce: 0 })
    const answering = pending.get('eth_sendRawTransactionSync', bytesToHex(raw), 30_000)
    while ((await rpc(pending.nodeUrl, 'eth_getTransactionByHash', hash)) === null) await sleep(2)
    await pending.seal()
    expect(await answering).toMatchObject({ transactionHash: hash, blockNumber: '0x1' })
  })
})

function sleep(ms: number) {
  return new Promise<void>((resolve) => setTimeout(resolve, ms))
}
