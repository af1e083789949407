import { expect, test } from 'vitest'
import type { RpcReceipt, RpcTransaction } from '../../chain/rpc/types.ts'
import { flashblocksFilter } from '../../contract/rpc-further.ts'
import { type StreamEvent, streamResults } from './flashblock-stream.ts'

const [alice, bob, token] = ['aa', 'bb', 'cc'].map((digits) => `0x${digits.repeat(20)}`)

function streamed(hash: string, to: string | undefined, emitter?: string) {
  return {
    transaction: { hash, from: alice, to } as unknown as RpcTransaction,
    receipt: { logs: emitter === undefined ? [] : [{ address: emitter }] } as unknown as RpcReceipt,
  }
}

const event: StreamEvent = {
  kind: 'flashblocks',
  header: '{"number":"0x7"}',
  transactions: [streamed('0x01', bob), streamed('0x02', alice, token), streamed('0x03', undefined)],
}

function results(filter: object): unknown[] {
  return streamResults(event, flashblocksFilter.parse(filter)).map((text) => JSON.parse(text))
}

function hashes(filter: object): unknown[] {
  return results({ subTxFilter: filter }).map(
    (result) => (result as { transaction: { txHash: string } }).transaction.txHash,
  )
}

test('a subscriber to flashblocks gets the header only if it asked for it, before the transactions', () => {
  expect(results({ headerInfo: true })[0]).toEqual({ type: 'header', header: { number: '0x7' } })
  expect(results({})[0]).toEqual({ type: 'transaction', transaction: { txHash: '0x01' } })
})

test('a subscriber to flashblocks gets transactions whose sender, recipient or log is of its addresses', () => {
  expect(hashes({})).toEqual(['0x01', '0x02', '0x03'])
  expect(hashes({ subscribeAddresses: [bob!.toUpperCase().replace('0X', '0x')] })).toEqual(['0x01'])
  expect(hashes({ subscribeAddresses: [token, bob] })).toEqual(['0x01', '0x02'])
  expect(hashes({ subscribeAddresses: [alice] })).toEqual(['0x01', '0x02', '0x03'])
})

test('a subscriber to flashblocks gets transaction and receipt if it asked for them', () => {
  const [first] = results({ subTxFilter: { txInfo: true, txReceipt: true } })
  expect(first).toMatchObject({ transaction: { txHash: '0x01', txData: { from: alice }, receipt: { logs: [] } } })
})

test('a filter of flashblocks with an unknown field or with too many addresses is refused', () => {
  expect(flashblocksFilter.safeParse({ headerInf: true }).success).toBe(false)
  const subscribeAddresses = Array(1_001).fill(bob)
  expect(flashblocksFilter.safeParse({ subTxFilter: { subscribeAddresses } }).error?.issues[0]?.message).toBe(
    'too many subscribe addresses',
  )
})
