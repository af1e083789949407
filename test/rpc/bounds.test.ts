// What a request, a batch, a call and an answer may take at most.
import { describe, expect, test } from 'vitest'
import { developer } from '../../devnet/chain/chain-for-tests.ts'
import { addressToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { alice, balanceOfAlice, bob, ETHER, startMiddleOfBlock } from '../support/middle-of-block.ts'
import { until } from '../support/until.ts'

describe('bounds', () => {
  const endless: Hex = '0x5b600056'
  const RETURN_FIRST_WORD = '60206000f3'

  test('JSON-RPC ends a call that takes too long, and others run meanwhile', async () => {
    const { pending } = await startMiddleOfBlock({ limits: { gasCap: 10n ** 12n, callTimeoutMs: 300 } })
    // Nothing is left to be fetched for it, so that its own time does not depend on theirs.
    await until(
      () => pending.ask('eth_call', balanceOfAlice, 'pending'),
      ({ error }) => error === undefined,
    )
    const balance = async () => BigInt(await pending.get('eth_call', balanceOfAlice, 'pending'))
    const code = { [bob]: { code: endless } }
    let ended = 0
    const calls = [1, 2, 3].map(async () => {
      const long = { to: bob, gas: '0xffffffffff' }
      const { error } = await pending.ask('eth_call', long, 'pending', code, { gasLimit: '0xffffffffff' })
      ended++
      return error
    })
    expect(await balance()).toBe(ETHER)
    expect(ended).toBe(0)
    for (const error of await Promise.all(calls)) {
      expect(error).toEqual({ code: -32000, message: 'execution aborted (timeout = 300 ms)' })
    }
    expect(await balance()).toBe(ETHER)
  })

  test('JSON-RPC has a limit on long calls at once, and ends them when it stops', async () => {
    const { pending } = await startMiddleOfBlock({ limits: { gasCap: 10n ** 12n, callTimeoutMs: 60_000 } })
    const long = { to: bob, gas: '0xffffffffff' }
    const call = () =>
      pending.ask('eth_call', long, 'pending', { [bob]: { code: endless } }, { gasLimit: '0xffffffffff' })
    const calls = Array.from({ length: 257 }, call)
    expect((await Promise.race(calls)).error).toMatchObject({ code: -32005 })
    pending.rpc.stop()
    const codes = (await Promise.all(calls)).map(({ error }) => error?.code)
    expect(codes.filter((code) => code === -32000)).toHaveLength(256)
  })

  test('JSON-RPC gives interleaved calls the results that they have alone', async () => {
    const { pending } = await startMiddleOfBlock()
    const carol = addressToHex(developer(2))
    /** Adds up n to 1 in memory. */
    const sum = (n: number) =>
      `0x63${n.toString(16).padStart(8, '0')}5b80600051016000526001900380600557${RETURN_FIRST_WORD}`
    // Bob lets Carol do it, so that frames of two depths are in use at every pause.
    const forward = `0x6020600060006000600073${carol.slice(2)}5af150${RETURN_FIRST_WORD}`
    const run = async (n: number) => {
      const overrides = { [bob]: { code: forward }, [carol]: { code: sum(n) } }
      return BigInt(await pending.get('eth_call', { to: bob }, 'pending', overrides))
    }
    const sizes = [60_000, 50_000, 40_000, 5]
    const expected = sizes.map((n) => (BigInt(n) * BigInt(n + 1)) / 2n)
    expect(await Promise.all(sizes.map(run))).toEqual(expected)
  })

  test('JSON-RPC refuses more gas than the cap silently, and too large batches loudly', async () => {
    const { pending } = await startMiddleOfBlock({ limits: { gasCap: 100_000n, callTimeoutMs: 1_000, maxBatch: 2 } })
    const { error } = await pending.ask('eth_call', { to: bob, gas: '0xffffff' }, 'pending', {
      [bob]: { code: endless },
    })
    expect(error).toMatchObject({ code: -32000, message: 'out of gas' })
    const three = JSON.stringify([1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' })))
    expect(JSON.parse((await pending.rpc.answer(three, { client: 'test', isGone: () => false })).text!)).toMatchObject({
      error: { code: -32005 },
    })
  })

  test('JSON-RPC says that the node does not answer, and still answers what it knows itself', async () => {
    let isDown = false
    const { pending, sent } = await startMiddleOfBlock({
      bend: {
        refuse: (method) => (isDown && method !== 'eth_chainId' ? { code: -32_005, message: 'too many' } : undefined),
      },
    })
    isDown = true
    expect((await pending.ask('eth_gasPrice')).error).toEqual({ code: -32_005, message: 'too many' })
    expect(await pending.get('eth_getTransactionReceipt', sent)).toMatchObject({ status: '0x1' })
    expect(await pending.get('eth_getTransactionCount', alice, 'pending')).toBe('0x2')
  })
})
