// Every limit and parameter of the spec against a running server. The data comes with later versions, so an accepted
// request is one that got through authentication and validation to a handler: code 50001.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paramsFrom } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { requestOf } from '../support/contract-request.ts'
import { type Row, sampleOf, table } from '../support/contract-table.ts'
import { answerToBytes } from '../support/raw-bytes.ts'
import { ACCEPTED } from '../support/requests.ts'
import { createSender, type Got, type Sender } from '../support/sender.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const ALIASES = ['chain', 'xlayer', 'explorer']

let server: TestServer
let sender: Sender

beforeAll(async () => {
  server = await startTestServer({ RATE_LIMIT_IP: '0', RATE_LIMIT_KEY: '0' })
  sender = createSender(server)
})

afterAll(async () => {
  sender?.close()
  await server?.stop()
})

test('the table of this test and the contract name the same endpoints', () => {
  const spelled = (rows: readonly { method: string; path: string }[]) =>
    rows.map((row) => `${row.method} ${row.path}`).sort()
  expect(spelled(Object.values(endpoints))).toEqual(spelled(table))
})

describe.for(table)('$id $method $path', (row) => {
  const sample = sampleOf(row)
  const rules = Object.entries({ ...row.required, ...row.optional })

  test('the endpoint accepts every allowed value of every parameter', async () => {
    const cases = rules.flatMap(([name, { good }]) => good.map((value) => ({ ...sample, [name]: value })))
    expect(await unlike(row, cases, (got) => got.code === '50001' && got.status === 503)).toEqual([])
  })

  test('the endpoint refuses every wrong value with 51000 and names the parameter', async () => {
    for (const [name, { bad }] of rules) {
      const cases = bad.map((value) => ({ ...sample, [name]: value }))
      const named = (got: Got) => got.code === '51000' && got.status === 400 && got.msg.includes(name)
      expect(await unlike(row, cases, named)).toEqual([])
    }
  })

  test('names each required parameter that is missing or blank', async () => {
    for (const name of Object.keys(row.required)) {
      const { [name]: _, ...without } = sample
      const cases = [
        without,
        { ...sample, [name]: '' },
        ...(row.method === 'POST' ? [{ ...sample, [name]: null }] : []),
      ]
      const named = (got: Got) => got.code === '50014' && got.status === 400 && got.msg.includes(name)
      expect(await unlike(row, cases, named)).toEqual([])
    }
  })

  test('the endpoint takes a blank optional parameter for an absent one', async () => {
    const cases = Object.keys(row.optional).map((name) => ({ ...sample, [name]: '' }))
    expect(await unlike(row, [sample, ...cases], (got) => got.code === '50001')).toEqual([])
  })

  test('the endpoint ignores parameters that it does not know', async () => {
    const strangers = JSON.parse(
      '{"tag":"159881cb7207BCDE","__proto__":{"page":"0"},"constructor":"x","Page":"0","LIMIT":"0"}',
    )
    const cases = [
      { ...sample, nonsense: 'x' },
      { ...strangers, ...sample },
    ]
    expect(await unlike(row, cases, (got) => got.code === '50001')).toEqual([])
  })

  test('the endpoint knows no other chain', async () => {
    const cases = ['ETH', 'DEVNET', 'DE', 'D EV', 'constructor'].map((chainShortName) => ({
      ...sample,
      chainShortName,
    }))
    expect(await unlike(row, cases, (got) => got.code === '50038' && got.status === 200)).toEqual([])
  })

  test('the endpoint answers under every alias of the path and under no other', async () => {
    for (const alias of ALIASES) expect(await sender.signed(requestOf(row, sample, alias))).toMatchObject(ACCEPTED)
    for (const alias of ['eth', 'CHAIN', 'chain/chain', '']) {
      expect(await sender.signed(requestOf(row, sample, alias))).toMatchObject({ status: 404, code: '50005' })
    }
  })

  test('the endpoint is not reachable unsigned, half signed or wrongly signed', async () => {
    const { key, passphrase } = server.credentials
    const timestamp = new Date().toISOString()
    for (const alias of ALIASES) {
      const request = requestOf(row, sample, alias)
      const full = { 'svc-access-key': key, 'svc-access-passphrase': passphrase, 'svc-access-timestamp': timestamp }
      expect(await sender.unsigned(request)).toMatchObject({ status: 401, code: '50103' })
      const headers = { ...request.headers, ...full }
      expect(await sender.unsigned({ ...request, headers })).toMatchObject({ status: 401, code: '50106' })
      const forged = { ...headers, 'svc-access-sign': Buffer.alloc(32, 7).toString('base64') }
      expect(await sender.unsigned({ ...request, headers: forged })).toMatchObject({ status: 401, code: '50113' })
    }
  })

  test('the endpoint says 405 to every other method and which one it takes', async () => {
    const other = row.method === 'GET' ? 'POST' : 'GET'
    for (const method of [other, 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
      const got = await sender.signed({ method, target: `/api/v5/chain${row.path}` })
      expect(got.status, method).toBe(405)
      if (method !== 'HEAD') expect(got).toMatchObject({ code: '50115', msg: expect.stringContaining(row.method) })
    }
  })
})

describe.for(table.filter(({ method }) => method === 'GET'))('$id $path, its query', (row) => {
  const sample = sampleOf(row)

  test('the endpoint refuses a parameter that is given more than once', async () => {
    for (const [name, { good }] of Object.entries({ ...row.required, ...row.optional })) {
      const { target } = requestOf(row, { ...sample, [name]: good[0] })
      const got = await sender.signed({ target: `${target}&${name}=${encodeURIComponent(String(good[0]))}` })
      expect(got).toMatchObject({ status: 400, code: '51000', msg: expect.stringContaining(name) })
    }
  })

  test('the endpoint does not know parameters in brackets', async () => {
    for (const [name, { good }] of Object.entries(row.required)) {
      const { [name]: _, ...without } = sample
      const { target } = requestOf(row, without)
      const got = await sender.signed({ target: `${target}${target.includes('?') ? '&' : '?'}${name}[]=${good[0]}` })
      expect(got).toMatchObject({ code: '50014', msg: expect.stringContaining(name) })
    }
  })
})

describe.for(table.filter(({ method }) => method === 'POST'))('$id $path, its body', (row) => {
  const target = `/api/v5/chain${row.path}`

  test('the body must be there, must be JSON, must be an object', async () => {
    expect(await sender.signed({ method: 'POST', target, body: '' })).toMatchObject({ status: 400, code: '50000' })
    for (const body of ['{', 'null', '[]', '"x"', '1', 'a=b', `[${JSON.stringify(sampleOf(row))}]`, '{"a":1}}']) {
      expect(await sender.signed({ method: 'POST', target, body }), body).toMatchObject({ status: 400, code: '50002' })
    }
  })

  test('the body must be declared as JSON', async () => {
    const headers = { 'content-type': 'text/plain' }
    const got = await sender.signed({ method: 'POST', target, body: JSON.stringify(sampleOf(row)), headers })
    expect(got).toMatchObject({ status: 400, code: '50006' })
  })

  test('the body counts, not the query', async () => {
    const { chainShortName: _, ...without } = sampleOf(row)
    const got = await sender.signed({
      method: 'POST',
      target: `${target}?chainShortName=DEV`,
      body: JSON.stringify(without),
    })
    expect(got).toMatchObject({ code: '50014', msg: expect.stringContaining('chainShortName') })
  })
})

describe('paging', () => {
  const paged = table.filter(({ optional }) => optional.limit)

  test.for(paged)('the endpoint $id starts at page 1 with 20 records', (row) => {
    const endpoint = Object.values(endpoints).find(({ path }) => path === row.path)!
    expect(paramsFrom(endpoint, sampleOf(row))).toMatchObject({ page: 1, limit: 20 })
    expect(paramsFrom(endpoint, { ...sampleOf(row), page: '', limit: '' })).toMatchObject({ page: 1, limit: 20 })
  })

  test.for(paged)('the endpoint $id says the largest limit when it refuses one', async (row) => {
    const most = row.optional.limit!.good.at(-1)
    const got = await sender.signed(requestOf(row, { ...sampleOf(row), limit: '1000' }))
    expect(got).toMatchObject({ code: '51000', msg: expect.stringContaining(String(most)) })
  })
})

describe('refusals outside the endpoints', () => {
  test('a 405 carries the Allow header that HTTP asks for', async () => {
    const got = await sender.unsigned({ method: 'DELETE', target: '/api/v5/chain/block/block-list' })
    expect(got).toMatchObject({ status: 405, headers: { allow: expect.stringContaining('GET') } })
  })

  test('refusals outside the endpoints let a page of another origin read the headers that say when to try again', async () => {
    const got = await sender.signed({
      target: requestOf(table[0]!, sampleOf(table[0]!)).target,
      headers: { origin: 'https://a.example' },
    })
    expect(got.headers['access-control-allow-origin']).toBe('*')
    expect(got.headers['access-control-expose-headers']).toMatch(/retry-after/i)
  })

  test('refusals outside the endpoints have the envelope even where the HTTP parser gave up', async () => {
    const streams = [
      'hello\r\n\r\n',
      'GET /health HTTP/1.1\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nContent-Length: 2\r\n\r\n{}',
      `GET /health HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]
    for (const stream of streams) {
      const answer = await answerToBytes(server.url, Buffer.from(stream), 20_000)
      expect(answer, stream.slice(0, 80)).toMatch(
        /^HTTP\/1\.1 4\d\d [\s\S]*\{"code":"5\d{4}","msg":"[^"]+","data":\[\]\}/,
      )
    }
  })

  test('refusals outside the endpoints reach JSON-RPC clients as JSON-RPC errors', async () => {
    const stream = 'POST /flashblocks HTTP/1.1\r\nHost: x\r\nContent-Length: 60000000\r\n\r\n'
    const answer = await answerToBytes(server.url, Buffer.from(stream), 20_000)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toMatch(/"jsonrpc":"2\.0".*"error":\{"code":-\d+/)
  })
})

/** The cases whose answer is not as it should be, with that answer; every answer must have the shape of an envelope. */
async function unlike(
  row: Row,
  cases: readonly Record<string, unknown>[],
  asItShould: (got: Got) => boolean,
): Promise<string[]> {
  const answers = await Promise.all(
    cases.map(async (params) => ({ params, got: await sender.signed(requestOf(row, params)) })),
  )
  return answers
    .filter(({ got }) => !asItShould(got) || !isEmptyEnvelope(got.text))
    .map(({ params, got }) => `${JSON.stringify(params).slice(0, 400)} -> ${got.status} ${got.text.slice(0, 300)}`)
}

function isEmptyEnvelope(body: string): boolean {
  const { code, msg, data, ...rest } = JSON.parse(body) as Record<string, unknown>
  return (
    typeof code === 'string' &&
    typeof msg === 'string' &&
    msg !== '' &&
    Object.keys(rest).length === 0 &&
    Array.isArray(data) &&
    data.length === 0
  )
}
