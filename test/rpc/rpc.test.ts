import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.stop())

const ADDRESS = `0x${'Ab'.repeat(20)}`
const HASH = `0x${'cD'.repeat(32)}`

function post(path: string, body: string, headers: Record<string, string> = {}) {
  return fetch(server.url + path, { method: 'POST', body, headers })
}

async function call(method: string, params: unknown): Promise<{ error: { code: number; message: string } }> {
  return (await post('/flashblocks', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).json() as never
}

/** Without a length, so that it is not a plain request. */
function postInPieces(path: string, body: string, headers: Record<string, string>) {
  return fetch(server.url + path, {
    method: 'POST',
    body: new Blob([body]).stream(),
    headers,
    duplex: 'half',
  } as RequestInit)
}

/** The answer to a request whose body never comes. */
async function announce(path: string, bytes: number): Promise<IncomingMessage> {
  const sent = request(server.url + path, { method: 'POST', headers: { 'content-length': bytes } })
  sent.flushHeaders()
  const [answer] = await once(sent, 'response')
  return answer
}

async function seen(response: Response) {
  const {
    date,
    'x-request-id': requestId,
    'flashblocks-age-ms': ageMs,
    ...headers
  } = Object.fromEntries(response.headers)
  expect([date, requestId]).toEqual([expect.any(String), expect.stringMatching(/^[0-9a-f]+-/)])
  return { status: response.status, headers, hasAge: ageMs !== undefined, body: await response.text() }
}

const MAX_BODY_BYTES = 5_000_000

/** Each method of E20 with parameters as the spec shows them. */
const rightCalls: Record<string, unknown[]> = {
  eth_blockNumber: ['pending'],
  eth_call: [{ to: ADDRESS, data: '0x' }, 'pending'],
  eth_estimateGas: [{ to: ADDRESS, data: '0x' }, 'pending'],
  eth_getBalance: [ADDRESS, 'pending'],
  eth_getTransactionCount: [ADDRESS, 'pending'],
  eth_getCode: [ADDRESS, 'pending'],
  eth_getStorageAt: [ADDRESS, '0x2', 'pending'],
  eth_getBlockByHash: [HASH, true],
  eth_getBlockByNumber: ['pending', false],
  eth_getBlockReceipts: ['pending'],
  eth_getBlockTransactionCountByNumber: ['pending'],
  eth_getBlockTransactionCountByHash: [HASH],
  eth_getTransactionByHash: [HASH],
  eth_getRawTransactionByHash: [HASH],
  eth_getTransactionReceipt: [HASH],
  eth_getTransactionByBlockNumberAndIndex: ['pending', '0x0'],
  eth_getTransactionByBlockHashAndIndex: [HASH, '0x0'],
}

describe('E20 at /flashblocks', () => {
  test.each(Object.entries(rightCalls))('E20 at /flashblocks takes %s as the spec shows it', async (method, params) => {
    const { error } = await call(method, params)
    expect(error?.code, error?.message).not.toBe(-32602)
    expect(error?.code, error?.message).not.toBe(-32601)
  })

  test.each([
    ['eth_getBalance', [], /missing value for required argument 0 \(address\)/],
    ['eth_getBalance', ['0x1', 'latest'], /argument 0: address must be a 20-byte address/],
    ['eth_getBalance', [ADDRESS, 'neverland'], /argument 1: block must be latest, pending/],
    ['eth_getBalance', { address: ADDRESS }, /as an array/],
    ['eth_getBlockByNumber', ['pending', 'yes'], /argument 1: full transactions must be true/],
    ['eth_getTransactionByHash', ['0xzz'], /argument 0: hash must be a 32-byte hash/],
    ['eth_getStorageAt', [ADDRESS, 'x', 'latest'], /argument 1: position must be/],
    ['eth_call', ['0x', 'latest'], /argument 0: call must be a call object/],
    ['eth_call', [{ to: '0x12' }, 'latest'], /argument 0: call.to must be a 20-byte address/],
    ['eth_call', [{}, 'latest', { bob: {} }], /argument 2: state overrides.bob must be a 20-byte address/],
    ['eth_getTransactionByBlockNumberAndIndex', ['pending', 1], /argument 1: index must be an index as a hex quantity/],
    ['eth_sendRawTransactionSync', ['0x02', 0], /argument 1: timeout must be from 1 to 30000 ms/],
  ])('E20 at /flashblocks refuses %s %j and says what would be right', async (method, params, message) => {
    expect((await call(method, params)).error).toEqual({ code: -32602, message: expect.stringMatching(message) })
  })

  test('E20 at /flashblocks names the nearest method for an unknown one', async () => {
    const { error } = await call('eth_getBallance', [])
    expect(error).toEqual({ code: -32601, message: expect.stringContaining('did you mean eth_getBalance?') })
  })

  test('E20 at /flashblocks answers the same at /, with any content type, and says nothing to a notification', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'nope' })
    for (const headers of [{ 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
      expect(await (await post('/', body, headers)).json()).toMatchObject({ id: 'x', error: { code: -32601 } })
    }
    const notification = await post('/flashblocks', JSON.stringify({ jsonrpc: '2.0', method: 'eth_blockNumber' }))
    expect([notification.status, await notification.text()]).toEqual([204, ''])
  })

  /** From the first flashblock on there is an age. */
  const firstFlashblock = () =>
    vi.waitFor(async () => expect(await seen(await post('/flashblocks', '{}'))).toMatchObject({ hasAge: true }), 30_000)

  test.each([
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'nope' }]),
    JSON.stringify({ jsonrpc: '2.0', method: 'eth_chainId' }),
    '{"jsonrpc":',
    '',
  ])('/flashblocks answers %j alike whether its length is announced or not', { timeout: 60_000 }, async (body) => {
    await firstFlashblock()
    const withLength = await seen(await post('/flashblocks', body, { origin: 'https://dapp.example' }))
    expect(withLength.headers['access-control-allow-origin']).toBe('*')
    expect(await seen(await postInPieces('/flashblocks', body, { origin: 'https://dapp.example' }))).toEqual(withLength)
  })

  test('E20 at /flashblocks takes as much as it says, and refuses what is longer before it is sent', async () => {
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'nope' })
    expect((await post('/', call.padEnd(MAX_BODY_BYTES))).status).toBe(200)
    const refused = await announce('/', MAX_BODY_BYTES + 1)
    expect([refused.statusCode, await json(refused)]).toMatchObject([413, { id: null, error: { code: -32600 } }])
  })
})
