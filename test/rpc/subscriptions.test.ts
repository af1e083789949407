// The events that subscribers are sent, and their removal.
import { describe, expect, test } from 'vitest'
import { send } from '../../devnet/chain/chain-for-tests.ts'
import { rpc } from '../support/devnet.ts'
import { bob, deposit, startMiddleOfBlock, weth } from '../support/middle-of-block.ts'
import { connect, startPendingRpc, type TestClient } from '../support/pending-rpc.ts'

describe('subscriptions', () => {
  const subscribe = async (client: TestClient, ...params: unknown[]): Promise<unknown> =>
    (await client.ask('eth_subscribe', ...params)).result

  test('subscriptions are for connections that stay', async () => {
    const { pending } = await startMiddleOfBlock()
    expect((await pending.ask('eth_subscribe', 'newHeads')).error).toMatchObject({ code: -32001 })
    expect((await pending.ask('eth_subscribe', 'weather')).error).toMatchObject({ code: -32602 })
  })

  test('subscriptions send flashblocks, their transactions and logs as they come, and heads and logs as blocks are sealed', async () => {
    const { pending } = await startMiddleOfBlock()
    const client = connect(pending)
    const kinds = ['newFlashblocks', 'newFlashblockTransactions', 'newHeads'] as const
    const [flashblocks, transactions, heads] = await Promise.all(kinds.map((kind) => subscribe(client, kind)))
    const whole = await subscribe(client, 'newFlashblockTransactions', true)
    const ofWeth = { address: weth }
    const [pendingLogs, logs] = [
      await subscribe(client, 'pendingLogs', ofWeth),
      await subscribe(client, 'logs', ofWeth),
    ]
    const elsewhere = await subscribe(client, 'pendingLogs', { address: bob })
    const hash = send(pending.devnet.chain, { from: 0, nonce: 2, ...deposit })
    await pending.step()
    const tip = pending.devnet.chain.pending().hash
    expect(client.events(flashblocks)).toMatchObject([{ hash: tip }])
    expect(client.events(transactions)).toEqual([hash])
    expect(client.events(whole)).toMatchObject([{ hash, status: '0x1', logs: [{ address: weth }] }])
    expect(client.events(pendingLogs)).toMatchObject([{ transactionHash: hash, removed: false }])
    expect(client.events(elsewhere)).toEqual([])
    expect([...client.events(heads), ...client.events(logs)]).toEqual([])
    await pending.seal()
    while (client.events(logs).length < 2) await sleep(2)
    expect(client.events(heads)).toMatchObject([{ hash: tip, number: '0x2' }])
    expect(client.events(logs)).toEqual(await rpc(pending.nodeUrl, 'eth_getLogs', { ...ofWeth, blockHash: tip }))
    expect(client.events(pendingLogs)).toHaveLength(1)
  })

  test('subscriptions take logs back when a preconfirmation is broken, and end when asked to', async () => {
    const { pending } = await startMiddleOfBlock()
    const client = connect(pending)
    const id = await subscribe(client, 'pendingLogs')
    const hash = send(pending.devnet.chain, { from: 0, nonce: 2, ...deposit })
    await pending.step()
    pending.devnet.chain.contradictNext((transactions) => transactions.filter((each) => each.hash !== hash))
    await pending.seal()
    expect(client.events(id).map(({ transactionHash, removed }) => [transactionHash, removed])).toEqual([
      [hash, false],
      [hash, true],
    ])
    for (const result of [true, false]) expect(await client.ask('eth_unsubscribe', id)).toMatchObject({ result })
  })

  test('subscriptions take logs back in a reorg', async () => {
    const { pending } = await startMiddleOfBlock()
    const client = connect(pending)
    const id = await subscribe(client, 'logs')
    await pending.seal()
    while (client.events(id).length < 1) await sleep(2)
    pending.devnet.chain.reorg(1)
    await pending.caughtUp()
    while (client.events(id).length < 2) await sleep(2)
    expect(
      client
        .events(id)
        .slice(0, 2)
        .map(({ removed }) => removed),
    ).toEqual([false, true])
  })

  test('subscriptions leave no hole where the node does not report a block at once', async () => {
    let refusals = 0
    const refuse = (method: string) => {
      // Once before a block is sent, once between its header and its logs.
      if (method !== ['eth_getBlockByHash', 'eth_getLogs'][refusals]) return
      refusals++
      return { code: -32_000, message: 'header not found' }
    }
    const pending = await startPendingRpc({ hasNoFeed: true, bend: { refuse } })
    const client = connect(pending)
    const [heads, logs] = [await subscribe(client, 'newHeads'), await subscribe(client, 'logs')]
    send(pending.devnet.chain, { from: 0, nonce: 0, ...deposit })
    const hashes: string[] = []
    for (let block = 0; block < 2; block++) {
      await pending.seal()
      hashes.push(pending.devnet.chain.head().hash)
    }
    while (client.events(heads).length < 2) await sleep(2)
    expect(client.events(heads).map(({ hash }) => hash)).toEqual(hashes)
    expect(client.events(logs)).toMatchObject([{ blockHash: hashes[0] }])
    expect(refusals).toBe(2)
  })

  test('subscriptions end with their connection, though it ended before they began', async () => {
    const asked: string[] = []
    const rewrite = (method: string, result: unknown) => {
      asked.push(method)
      return result
    }
    const pending = await startPendingRpc({ hasNoFeed: true, bend: { rewrite } })
    const [early, late, other] = [connect(pending), connect(pending), connect(pending)]
    await subscribe(early, 'logs')
    early.close()
    late.close()
    await subscribe(late, 'logs')
    const heads = await subscribe(other, 'newHeads')
    await pending.seal()
    while (other.events(heads).length < 1) await sleep(2)
    expect(asked).toContain('eth_getBlockByHash')
    expect(asked).not.toContain('eth_getLogs')
  })

  test('subscriptions have a limit on a connection', async () => {
    const { pending } = await startMiddleOfBlock({ limits: { gasCap: 1n, callTimeoutMs: 1, maxSubscriptions: 1 } })
    const client = connect(pending)
    expect(await subscribe(client, 'newHeads')).toMatch(/^0x/)
    expect(await client.ask('eth_subscribe', 'newHeads')).toMatchObject({ error: { code: -32005 } })
  })
})

function sleep(ms: number) {
  return new Promise<void>((resolve) => setTimeout(resolve, ms))
}
