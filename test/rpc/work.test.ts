// What one client of JSON-RPC can do to another: calls are charged by what they cost, and clients take turns.
import { expect, test } from 'vitest'
import type { Caller } from '../../src/rpc/state/client-work.ts'
import { balanceOfAlice, bob, startMiddleOfBlock } from '../support/middle-of-block.ts'

const endless = { [bob]: { code: '0x5b600056' } }
const loop = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: bob, gas: '0xf4240' }, 'pending', endless] }
const quick = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [balanceOfAlice, 'pending'] }

function by(client: string, isGone = () => false): Caller {
  return { client, isGone }
}

test('a batch of looping calls spends the balance of its client only, and the rest of it is refused', async () => {
  const work = { perSecond: 1_000_000, burst: 6_000_000 }
  const { pending } = await startMiddleOfBlock({ limits: { gasCap: 50_000_000n, callTimeoutMs: 60_000, work } })
  const batch = JSON.stringify(Array.from({ length: 100 }, () => loop))
  const { text, work: left } = await pending.rpc.answer(batch, by('greedy'))
  const codes = (JSON.parse(text!) as { error: { code: number } }[]).map(({ error }) => error.code)
  // Each of them takes a million gas until it runs out.
  expect(codes.filter((code) => code === -32000).length).toBeLessThanOrEqual(6)
  expect(codes.at(-1)).toBe(-32005)
  expect(left).toMatchObject({ limit: 6_000_000, remaining: 0 })
  const honest = await pending.rpc.answer(JSON.stringify(quick), by('honest'))
  expect(JSON.parse(honest.text!).result).toMatch(/^0x/)
  expect(honest.work!.remaining).toBeGreaterThan(5_000_000)
})

test('a quick call of another client is answered while a batch of looping calls runs', async () => {
  const { pending } = await startMiddleOfBlock({ limits: { gasCap: 50_000_000n, callTimeoutMs: 60_000 } })
  await pending.rpc.answer(JSON.stringify(quick), by('honest'))
  const batch = JSON.stringify(Array.from({ length: 100 }, () => loop))
  let hasEnded = false
  const running = Promise.resolve(pending.rpc.answer(batch, by('greedy'))).then(() => {
    hasEnded = true
  })
  for (let i = 0; i < 10; i++) {
    const { text } = await pending.rpc.answer(JSON.stringify(quick), by('honest'))
    expect(JSON.parse(text!).result).toMatch(/^0x/)
  }
  expect(hasEnded).toBe(false)
  await running
})

test('the calls of a client that left are not executed', async () => {
  const { pending } = await startMiddleOfBlock({ limits: { gasCap: 50_000_000n, callTimeoutMs: 60_000 } })
  let isGone = false
  const batch = JSON.stringify(Array.from({ length: 50 }, () => loop))
  const running = pending.rpc.answer(
    batch,
    by('gone', () => isGone),
  )
  isGone = true
  const codes = (JSON.parse((await running).text!) as { error: { message: string } }[]).map(
    ({ error }) => error.message,
  )
  expect(codes.filter((message) => message === 'the client closed the connection').length).toBeGreaterThanOrEqual(49)
})
