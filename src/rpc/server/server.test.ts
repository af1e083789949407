import { expect, test } from 'vitest'
import { Failure } from '../../contract/failure.ts'
import type { JsonRpcParams } from '../../lib/json/json-rpc.ts'
import { createWorkBalances } from '../state/client-work.ts'
import { createTestState } from '../state/rpc-state-for-tests.ts'
import { createSubscriptions } from '../subscriptions/subscriptions.ts'
import { createDispatch, rpcErrorOf } from './server.ts'

const dispatch = createDispatch(createSubscriptions(10, createWorkBalances(null, Date.now)))

async function call(method: string, params: JsonRpcParams = [], node: Record<string, unknown> = {}) {
  const { scope, asked } = createTestState({ node })
  const result = await new Promise((resolve) => resolve(dispatch(scope([method]), method, params)))
  return { result, asked }
}

test('a method that this service answers is called with checked parameters', async () => {
  expect(await call('eth_chainId')).toEqual({ result: '0xa', asked: [] })
  expect(await call('eth_getBlockTransactionCountByNumber', ['pending'])).toEqual({ result: '0x4', asked: [] })
})

test('a method of the node is passed on with its parameters', async () => {
  expect(await call('eth_gasPrice', [], { eth_gasPrice: '0x7' })).toEqual({
    result: '0x7',
    asked: [['eth_gasPrice', []]],
  })
})

test('an unknown method is refused with the nearest name', async () => {
  await expect(call('eth_blockNumbr')).rejects.toMatchObject({
    code: -32601,
    message: expect.stringContaining('did you mean eth_blockNumber?'),
  })
})

test('parameters that are named, missing, malformed or too many are refused as invalid', async () => {
  const message = (text: string) => expect.objectContaining({ code: -32602, message: expect.stringContaining(text) })
  await expect(call('eth_getBalance', { address: '0x' })).rejects.toEqual(message('takes its parameters as an array'))
  await expect(call('eth_getBalance')).rejects.toEqual(message('missing value for required argument 0 (address)'))
  await expect(call('eth_getBalance', ['0x12', 'latest'])).rejects.toEqual(message('invalid argument 0: address'))
  await expect(call('eth_chainId', [1])).rejects.toEqual(message('too many arguments for eth_chainId'))
})

test('a subscription without a connection is refused', async () => {
  await expect(call('eth_subscribe', ['newHeads'])).rejects.toMatchObject({ code: -32001 })
})

test('a failure of the closed table becomes the JSON-RPC error of its code', () => {
  const failure = new Failure('tooManyRequests', 'Requests too frequent.')
  expect(rpcErrorOf(failure)).toMatchObject({ code: failure.refusal.rpc, message: 'Requests too frequent.' })
})
