import { expect, test } from 'vitest'
import { createTestState, type TestState } from '../state/rpc-state-for-tests.ts'
import { sendingMethods } from './sending.ts'

const RAW = '0x02abcd'
const HASH = `0x${'cd'.repeat(32)}`

function sendAndWait({ scope }: TestState, timeoutMs?: number): Promise<unknown> {
  return sendingMethods.eth_sendRawTransactionSync(scope(), [RAW, timeoutMs], [RAW]) as Promise<unknown>
}

test('a transaction goes to the node as it came, and the ledger notes that it was seen', async () => {
  const seen: string[] = []
  const ledger = { stagesOf: () => null, seen: ({ hash }: { hash: string }) => void seen.push(hash) }
  const { scope, asked } = createTestState({ ledger, node: { eth_sendRawTransaction: HASH } })
  expect(await sendingMethods.eth_sendRawTransaction(scope(), [RAW], [RAW])).toBe(HASH)
  expect(asked).toEqual([['eth_sendRawTransaction', [RAW]]])
  expect(seen).toEqual([HASH])
})

test('a transaction that the node refuses was not seen', async () => {
  const seen: string[] = []
  const ledger = { stagesOf: () => null, seen: ({ hash }: { hash: string }) => void seen.push(hash) }
  const { scope } = createTestState({ ledger })
  await expect(sendingMethods.eth_sendRawTransaction(scope(), [RAW], [RAW])).rejects.toMatchObject({ code: -32601 })
  expect(seen).toEqual([])
})

test('a transaction that is preconfirmed already is answered with its receipt at once', async () => {
  const node: Record<string, unknown> = {}
  const state = createTestState({ node })
  node.eth_sendRawTransaction = state.payload.flashblocks[1]!.transactions[0]!.hash
  expect(await sendAndWait(state)).toMatchObject({ transactionIndex: '0x2', status: '0x1' })
})

test('the flashblock that brings the transaction ends the wait', async () => {
  const node: Record<string, unknown> = {}
  const state = createTestState({ node })
  const flashblock = state.payload.flashblocks[2]!
  node.eth_sendRawTransaction = flashblock.transactions[1]!.hash
  const waiting = sendAndWait(state, 20_000)
  setTimeout(() => state.receive({ flashblock, receivedMs: Date.now() }), 10)
  expect(await waiting).toMatchObject({ transactionIndex: '0x5', blockNumber: '0x8' })
})

test('while nothing is pending the node is asked for the receipt', async () => {
  const receipt = { transactionHash: HASH, status: '0x1' }
  const state = createTestState({
    flashblocks: 0,
    node: { eth_sendRawTransaction: HASH, eth_getTransactionReceipt: receipt },
  })
  expect(await sendAndWait(state)).toBe(receipt)
})

test('after the timeout the error has the code of EIP-7966 and the hash, because the node has the transaction', async () => {
  const state = createTestState({ node: { eth_sendRawTransaction: HASH } })
  await expect(sendAndWait(state, 20)).rejects.toMatchObject({
    code: 4,
    data: HASH,
    message: 'the transaction was accepted but not included within 20 ms',
  })
})

test('a server that stops ends the wait', async () => {
  const state = createTestState({ node: { eth_sendRawTransaction: HASH } })
  const waiting = sendAndWait(state, 20_000)
  setTimeout(() => state.rpc.stop(), 10)
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
})
