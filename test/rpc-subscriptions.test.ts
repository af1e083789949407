// What those who subscribed are told, and told to forget.
import { afterEach, describe, expect, it } from 'vitest'
import type { Hex } from '../src/chain/hex.ts'
import { send } from '../src/devnet/chain/chain-for-tests.ts'
import { rpc } from './support/devnet.ts'
import { bob, deposit, startMiddleOfBlock, weth } from './support/middle-of-block.ts'
import { listen, type PendingRpc, type PendingRpcOptions } from './support/pending-rpc.ts'

let pending: PendingRpc
afterEach(() => pending?.stop())

async function inTheMiddle(options: PendingRpcOptions = {}) {
  const middle = await startMiddleOfBlock(options)
  pending = middle.pending
  return middle
}

describe('subscriptions', () => {
  const subscribe = async (told: ReturnType<typeof listen>, ...params: unknown[]): Promise<Hex> => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params })
    return (JSON.parse((await pending.rpc.answer(text, told.connection)).text!) as { result: Hex }).result
  }
  // biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are kinds
  const newsOf = (told: ReturnType<typeof listen>, id: Hex): any[] =>
    told.messages.filter(({ params }) => params.subscription === id).map(({ params }) => params.result)

  it('are for connections that stay', async () => {
    await inTheMiddle()
    expect((await pending.ask('eth_subscribe', 'newHeads')).error).toMatchObject({ code: -32001 })
    expect((await pending.ask('eth_subscribe', 'weather')).error).toMatchObject({ code: -32602 })
  })

  it('tell of flashblocks, their transactions and logs as they come, and of heads and logs as blocks are sealed', async () => {
    await inTheMiddle()
    const told = listen()
    const kinds = ['newFlashblocks', 'newFlashblockTransactions', 'newHeads'] as const
    const [flashblocks, transactions, heads] = await Promise.all(kinds.map((kind) => subscribe(told, kind)))
    const whole = await subscribe(told, 'newFlashblockTransactions', true)
    const ofWeth = { address: weth }
    const [pendingLogs, logs] = [await subscribe(told, 'pendingLogs', ofWeth), await subscribe(told, 'logs', ofWeth)]
    const elsewhere = await subscribe(told, 'pendingLogs', { address: bob })
    const hash = send(pending.devnet.chain, { from: 0, nonce: 2, ...deposit })
    await pending.step()
    const tip = pending.devnet.chain.pending().hash
    expect(newsOf(told, flashblocks!)).toMatchObject([{ hash: tip }])
    expect(newsOf(told, transactions!)).toEqual([hash])
    expect(newsOf(told, whole)).toMatchObject([{ hash, status: '0x1', logs: [{ address: weth }] }])
    expect(newsOf(told, pendingLogs)).toMatchObject([{ transactionHash: hash, removed: false }])
    expect(newsOf(told, elsewhere)).toEqual([])
    expect([...newsOf(told, heads!), ...newsOf(told, logs)]).toEqual([])
    await pending.seal()
    while (newsOf(told, logs).length < 2) await sleep(2)
    expect(newsOf(told, heads!)).toMatchObject([{ hash: tip, number: '0x2' }])
    expect(newsOf(told, logs)).toEqual(await rpc(pending.nodeUrl, 'eth_getLogs', { ...ofWeth, blockHash: tip }))
    expect(newsOf(told, pendingLogs)).toHaveLength(1)
  })

  it('take logs back when a preconfirmation is broken, and end when asked to', async () => {
    await inTheMiddle()
    const told = listen()
    const id = await subscribe(told, 'pendingLogs')
    const hash = send(pending.devnet.chain, { from: 0, nonce: 2, ...deposit })
    await pending.step()
    pending.devnet.chain.contradictNext((transactions) => transactions.filter((each) => each.hash !== hash))
    await pending.seal()
    expect(newsOf(told, id).map(({ transactionHash, removed }) => [transactionHash, removed])).toEqual([
      [hash, false],
      [hash, true],
    ])
    const unsubscribe = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_unsubscribe', params: [id] })
    for (const result of [true, false]) {
      expect(JSON.parse((await pending.rpc.answer(unsubscribe, told.connection)).text!)).toMatchObject({ result })
    }
  })

  it('take logs back in a reorg', async () => {
    await inTheMiddle()
    const told = listen()
    const id = await subscribe(told, 'logs')
    await pending.seal()
    while (newsOf(told, id).length < 1) await sleep(2)
    pending.devnet.chain.reorg(1)
    await pending.caughtUp()
    while (newsOf(told, id).length < 2) await sleep(2)
    expect(
      newsOf(told, id)
        .slice(0, 2)
        .map(({ removed }) => removed),
    ).toEqual([false, true])
  })

  it('have a limit on a connection', async () => {
    await inTheMiddle({ limits: { gasCap: 1n, callTimeoutMs: 1, maxSubscriptions: 1 } })
    const told = listen()
    expect(await subscribe(told, 'newHeads')).toMatch(/^0x/)
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })
    expect(JSON.parse((await pending.rpc.answer(text, told.connection)).text!)).toMatchObject({
      error: { code: -32005 },
    })
  })
})

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
