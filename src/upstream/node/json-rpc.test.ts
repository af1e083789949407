import { describe, expect, test } from 'vitest'
import { answersIn, isMissingMethod, isMissingState, isPassing, requestText } from './json-rpc.ts'

describe('answers of a batch', () => {
  test('answers of a batch are put in the order of the calls', () => {
    const response = [
      { jsonrpc: '2.0', id: 8, error: { code: 3, message: 'execution reverted', data: '0x12' } },
      { jsonrpc: '2.0', id: 7, result: null },
    ]
    expect(answersIn(response, 7, 2)).toEqual([
      { type: 'result', result: null },
      { type: 'refused', code: 3, message: 'execution reverted', data: '0x12' },
    ])
  })

  test.each([
    ['one is missing', [{ id: 0, result: 1 }]],
    [
      'one is to a call that was not sent',
      [
        { id: 0, result: 1 },
        { id: 2, result: 1 },
      ],
    ],
    ['one has neither result nor error', [{ id: 0, result: 1 }, { id: 1 }]],
    ['the list holds something else', [1, 2]],
    ['there is one refusal for all', { id: null, error: { code: -32600, message: 'no batches' } }],
    ['there is nothing', null],
  ])('a response is none to the calls where %s', (_, response) => {
    expect(answersIn(response, 0, 2)).toBeUndefined()
  })
})

test('a single call goes without a list around it', () => {
  const call = { method: 'eth_chainId', params: [] }
  expect(JSON.parse(requestText([call], 3))).toEqual({ jsonrpc: '2.0', id: 3, ...call })
  expect(JSON.parse(requestText([call, call], 3))).toHaveLength(2)
})

describe('refusals of real nodes', () => {
  const refused = (code: number, message: string) => ({ type: 'refused' as const, code, message })
  test.each([
    [-32601, 'the method trace_block does not exist/is not available'],
    [-32601, 'Method not found'],
    [-32000, 'The method debug_traceBlockByNumber is not available'],
    [-32000, 'namespace debug is disabled'],
  ])('a refusal with %i %s means that the method is missing', (code, message) => {
    expect(isMissingMethod(refused(code, message))).toBe(true)
  })
  test.each([
    [-32000, 'missing trie node 1234 (path )'],
    [-32000, 'required historical state unavailable (reexec=128)'],
    [-32000, 'historical state is not available'],
    [4444, 'pruned history unavailable'],
  ])('a refusal with %i %s means that the state is gone for good', (code, message) => {
    expect(isMissingState(refused(code, message))).toBe(true)
    expect(isPassing(refused(code, message))).toBe(false)
  })
  test.each([
    [-32005, 'limit exceeded'],
    [-32000, 'header not found'],
    [-32000, 'request timed out'],
    [429, 'Too Many Requests'],
  ])('a refusal with %i %s may pass, so the call is repeated', (code, message) => {
    expect(isPassing(refused(code, message))).toBe(true)
  })
  test.each([
    [3, 'execution reverted'],
    [-32603, 'Error: VM Exception while processing transaction: reverted with custom error'],
    [-32602, 'invalid argument 0: hex string has odd length'],
    [-32601, 'the method eth_foo does not exist/is not available'],
  ])('a refusal with %i %s is final', (code, message) => {
    expect(isPassing(refused(code, message))).toBe(false)
  })
})
