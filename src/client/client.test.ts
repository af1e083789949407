import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ApiError, createClient } from './client.ts'

type Seen = { method: string; target: string; headers: IncomingMessage['headers']; body: string }
type Reply = (response: ServerResponse) => void

const CREDENTIALS = { key: 'the-key', secret: 'the-secret', passphrase: 'the-passphrase' }
const ADDRESS = `0x${'ab'.repeat(20)}`
const NOW_MS = Date.UTC(2026, 10, 16, 20, 0, 0, 7)

let server: Server
let baseUrl: string
let seen: Seen[] = []
/** What the server does with the requests, in order; the last one for all further ones. */
let replies: Reply[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method: request.method!, target: request.url!, headers: request.headers, body })
    const reply = replies.length > 1 ? replies.shift()! : replies[0]!
    reply(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

beforeEach(() => {
  seen = []
  replies = [answer({ code: '0', msg: '', data: [] })]
})

function answer(json: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
  }
}

function client(options: Partial<Parameters<typeof createClient>[0]> = {}) {
  return createClient({ baseUrl, credentials: CREDENTIALS, nowMs: () => NOW_MS, ...options })
}

function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => error,
  )
}

test('a GET goes out with its parameters in the query, without those that are undefined', async () => {
  await client().blockList({ chainShortName: 'DEV', limit: '2', height: undefined })
  expect(seen[0]).toMatchObject({ method: 'GET', body: '' })
  expect(seen[0]!.target).toBe('/api/v5/chain/block/block-list?chainShortName=DEV&limit=2')
  expect(seen[0]!.headers['content-type']).toBeUndefined()
})

test('the signature covers the target exactly as it stands in the request line', async () => {
  await client().blockList({ chainShortName: 'ä b+c&d', limit: '2' })
  const { headers, target } = seen[0]!
  expect(headers['svc-access-timestamp']).toBe('2026-11-16T20:00:00.007Z')
  expect(headers['svc-access-key']).toBe('the-key')
  expect(headers['svc-access-passphrase']).toBe('the-passphrase')
  const signed = createHmac('sha256', 'the-secret').update(`2026-11-16T20:00:00.007ZGET${target}`).digest('base64')
  expect(headers['svc-access-sign']).toBe(signed)
})

test('a POST carries its parameters as JSON, and the signature covers those bytes', async () => {
  const params = { chainShortName: 'DEV', proxyContractAddress: ADDRESS, expectedImplementation: undefined }
  await client().verifyProxyContract(params)
  const { method, target, headers, body } = seen[0]!
  expect({ method, target }).toEqual({ method: 'POST', target: '/api/v5/chain/contract/verify-proxy-contract' })
  expect(headers['content-type']).toBe('application/json')
  expect(JSON.parse(body)).toEqual({ chainShortName: 'DEV', proxyContractAddress: ADDRESS })
  const signed = createHmac('sha256', 'the-secret').update(`${headers['svc-access-timestamp']}POST${target}${body}`)
  expect(headers['svc-access-sign']).toBe(signed.digest('base64'))
})

test('a slash at the end of the address is not doubled, and the segment can be another', async () => {
  await client({ baseUrl: `${baseUrl}/`, segment: 'xlayer' }).blockList({ chainShortName: 'DEV' })
  expect(seen[0]!.target).toBe('/api/v5/xlayer/block/block-list?chainShortName=DEV')
})

test('an answer is given whole, with what stands beside its data', async () => {
  const envelope = { code: '0', msg: 'fine', data: [{ a: '1' }], truncated: true, nextCursor: 'abc' }
  replies = [answer(envelope)]
  expect(await client().logsByAddress({ chainShortName: 'DEV', address: ADDRESS })).toEqual(envelope)
})

test('a refusal is an error with the code, the words, the status and the request id of the server', async () => {
  replies = [answer({ code: '51000', msg: 'Parameter limit error.', data: [] }, 400, { 'x-request-id': 'r-1' })]
  const error = await rejection(client().blockList({ chainShortName: 'DEV' }))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: '51000', status: 400, message: 'Parameter limit error.', requestId: 'r-1' })
})

test('a refusal with status 200 is an error as well', async () => {
  replies = [answer({ code: '50038', msg: 'Unknown chain.', data: [] })]
  const error = await rejection(client().blockList({ chainShortName: 'ETH' }))
  expect(error).toMatchObject({ name: 'ApiError', code: '50038', status: 200, requestId: '' })
})

test('what the server asks to repeat later is not repeated unless the caller says how often', async () => {
  replies = [answer({ code: '50011', msg: 'Too frequent.', data: [] }, 429, { 'retry-after': '0' })]
  expect(await rejection(client().blockList({ chainShortName: 'DEV' }))).toMatchObject({ code: '50011', status: 429 })
  expect(seen).toHaveLength(1)
})

test('a repeated request is signed again with the time of its own', async () => {
  const later = answer({ code: '50011', msg: 'Too frequent.', data: [] }, 429, { 'retry-after': '0' })
  replies = [later, later, answer({ code: '0', msg: '', data: [] })]
  let nowMs = NOW_MS
  await client({ retries: 2, nowMs: () => nowMs++ }).blockList({ chainShortName: 'DEV' })
  expect(seen.map(({ headers }) => headers['svc-access-timestamp'])).toEqual([
    '2026-11-16T20:00:00.007Z',
    '2026-11-16T20:00:00.008Z',
    '2026-11-16T20:00:00.009Z',
  ])
})

test('after the last repetition the refusal is the answer', async () => {
  replies = [answer({ code: '50011', msg: 'Too frequent.', data: [] }, 429, { 'retry-after': '0' })]
  expect(await rejection(client({ retries: 2 }).blockList({ chainShortName: 'DEV' }))).toMatchObject({ code: '50011' })
  expect(seen).toHaveLength(3)
})

test('a refusal without Retry-After, with a long one or with a date is not repeated', async () => {
  for (const headers of [{}, { 'retry-after': '31' }, { 'retry-after': 'Mon, 16 Nov 2026 20:00:00 GMT' }]) {
    seen = []
    replies = [answer({ code: '50001', msg: 'Not ready.', data: [] }, 503, headers as Record<string, string>)]
    expect(await rejection(client({ retries: 5 }).blockList({ chainShortName: 'DEV' }))).toMatchObject({ status: 503 })
    expect(seen, JSON.stringify(headers)).toHaveLength(1)
  }
})

test('a caller who gives up while waiting to repeat is answered at once with his own reason', async () => {
  replies = [answer({ code: '50011', msg: 'Too frequent.', data: [] }, 429, { 'retry-after': '30' })]
  const giveUp = new AbortController()
  const waiting = client({ retries: 1 }).blockList({ chainShortName: 'DEV' }, { signal: giveUp.signal })
  const settled = rejection(waiting)
  await expect.poll(() => seen.length).toBe(1)
  setTimeout(() => giveUp.abort(new Error('enough')), 20)
  expect(await settled).toMatchObject({ message: 'enough' })
})

test('a caller who gives up before the answer ends the request', async () => {
  replies = [() => undefined]
  const giveUp = new AbortController()
  const settled = rejection(client().blockList({ chainShortName: 'DEV' }, { signal: giveUp.signal }))
  await expect.poll(() => seen.length).toBe(1)
  giveUp.abort(new Error('enough'))
  expect(await settled).toMatchObject({ message: 'enough' })
})

test('a gateway’s page in place of an answer is an error that carries its status', async () => {
  replies = [(response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')]
  const error = await rejection(client().blockList({ chainShortName: 'DEV' }))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 502, code: '', message: expect.stringContaining('502') })
})

test('JSON that is no envelope is an error and not an answer', async () => {
  for (const json of [null, [], 'fine', { result: 1 }]) {
    replies = [answer(json)]
    expect(await rejection(client().blockList({ chainShortName: 'DEV' })), JSON.stringify(json)).toBeInstanceOf(
      ApiError,
    )
  }
})
