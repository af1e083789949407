import { describe, expect, test } from 'vitest'
import { answerJsonRpc, JsonRpcError, type JsonRpcServer, JsonText } from './json-rpc.ts'

const server: JsonRpcServer = {
  call: (method, params) => {
    if (method === 'echo') return params
    if (method === 'nothing') return undefined
    if (method === 'bug') throw new TypeError('secret detail')
    throw new JsonRpcError(-32601, 'no such method', { method })
  },
  onBug: () => new JsonRpcError(-32603, 'internal'),
  maxBatch: 3,
  maxResponseChars: 200,
}

async function answer(body: unknown): Promise<unknown> {
  const text = await answerJsonRpc(server, typeof body === 'string' ? body : JSON.stringify(body))
  return text === undefined ? undefined : JSON.parse(text)
}

function call(method: string, extra: object = { id: 1 }) {
  return { jsonrpc: '2.0', method, ...extra }
}
function error(id: unknown, code: number) {
  return expect.objectContaining({ id, error: expect.objectContaining({ code }) })
}

describe('JSON-RPC 2.0', () => {
  test('JSON-RPC 2.0 answers with the id it was asked with', async () => {
    for (const id of [0, 1, -1, 'a', '', null]) {
      expect(await answer(call('echo', { id, params: [1, 'x'] }))).toEqual({ jsonrpc: '2.0', id, result: [1, 'x'] })
    }
  })

  test('JSON-RPC 2.0 answers null where a method gives nothing', async () => {
    expect(await answer(call('nothing'))).toEqual({ jsonrpc: '2.0', id: 1, result: null })
  })

  test('JSON-RPC 2.0 says nothing to a notification, not even an error', async () => {
    expect(await answer(call('echo', {}))).toBeUndefined()
    expect(await answer(call('bug', {}))).toBeUndefined()
    expect(await answer([call('echo', {}), call('nope', {})])).toBeUndefined()
  })

  test.each([
    ['{"jsonrpc":', null, -32700],
    ['', null, -32700],
    ['1', null, -32600],
    ['null', null, -32600],
    ['[]', null, -32600],
    [JSON.stringify({ method: 'echo', id: 7 }), 7, -32600],
    [JSON.stringify({ jsonrpc: '2.0', method: 1, id: 7 }), 7, -32600],
    [JSON.stringify({ jsonrpc: '2.0', method: 'echo', params: 'x', id: 7 }), 7, -32600],
    [JSON.stringify({ jsonrpc: '2.0', method: 'echo', id: {} }), null, -32600],
    [JSON.stringify(call('nope')), 1, -32601],
    [JSON.stringify(Array(4).fill(call('echo'))), null, -32005],
  ])('JSON-RPC 2.0 refuses %s', async (body, id, code) => {
    expect(await answer(body)).toEqual(error(id, code))
  })

  test('JSON-RPC 2.0 keeps the data of an error and hides what a bug says', async () => {
    expect(await answer(call('nope'))).toMatchObject({ error: { message: 'no such method', data: { method: 'nope' } } })
    expect(await answer(call('bug'))).toMatchObject({ error: { code: -32603, message: 'internal' } })
  })

  test('JSON-RPC 2.0 answers a batch in order, each part on its own', async () => {
    expect(await answer([call('echo', { id: 'a', params: {} }), 1, call('nope', { id: 'b' })])).toEqual([
      { jsonrpc: '2.0', id: 'a', result: {} },
      error(null, -32600),
      error('b', -32601),
    ])
  })

  test('JSON-RPC 2.0 ends a batch whose answer grows past the limit with errors', async () => {
    const large = (id: number) => call('echo', { id, params: ['x'.repeat(150)] })
    expect(await answer([large(1), large(2), call('echo', { id: 3 })])).toEqual([
      expect.objectContaining({ id: 1, result: expect.anything() }),
      expect.objectContaining({ id: 2, result: expect.anything() }),
      error(3, -32005),
    ])
  })

  test('JSON-RPC 2.0 refuses a single answer past the limit', async () => {
    expect(await answer(call('echo', { id: 1, params: ['x'.repeat(300)] }))).toEqual(error(1, -32005))
  })

  test('a batch has as many calls under way together as the limit allows, and is answered in order', async () => {
    let underWay = 0
    const most: number[] = []
    const slow: JsonRpcServer = {
      ...server,
      maxBatch: 10,
      maxResponseChars: 10_000,
      maxConcurrentCalls: 4,
      call: async (_, params) => {
        most.push(++underWay)
        await new Promise((resolve) => setTimeout(resolve, 5))
        underWay--
        return params
      },
    }
    const ids = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    const text = await answerJsonRpc(slow, JSON.stringify(ids.map((id) => call('echo', { id, params: [id] }))))
    expect(JSON.parse(text!).map(({ id, result }: { id: number; result: number[] }) => [id, ...result])).toEqual(
      ids.map((id) => [id, id]),
    )
    expect(Math.max(...most)).toBe(4)
  })

  test('JSON-RPC 2.0 puts a result that is JSON already in as it is', async () => {
    const text = await answerJsonRpc({ ...server, call: () => new JsonText('{"a":  1}') }, JSON.stringify(call('x')))
    expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":{"a":  1}}')
  })
})
