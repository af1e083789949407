// Requests that are mostly wrong in one or two places, since what is wrong everywhere is refused at the first door. All
// stay below the sizes at which a server hangs up before it has read everything: a client may miss the answer to those.
import fc from 'fast-check'
import { A_HASH, AN_ADDRESS, sampleOf, table } from './contract-table.ts'
import type { Sent } from './sender.ts'

export type FuzzRequest = Sent & { isSigned: boolean }

const PROTOTYPE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  'toJSON',
]
const NUMBERS = [
  '-1',
  '0',
  '1e309',
  '-0',
  '9'.repeat(400),
  '1'.repeat(90),
  '0x10',
  '1.5',
  '.5',
  '5.',
  'NaN',
  'Infinity',
  '1_000',
  '٣',
]
const WORDS = [
  'DEV',
  AN_ADDRESS,
  A_HASH,
  'token_20',
  'from',
  'pending',
  'latest',
  '',
  ' ',
  '\0',
  'null',
  'undefined',
  '%',
  '%zz',
  '%00',
  '%ff%fe',
]
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']
const OTHER_PATHS = [
  '/',
  '/health',
  '/status',
  '/metrics',
  '/docs',
  '/docs/openapi.json',
  '/flashblocks',
  '/favicon.ico',
  '/api',
  '//',
  '/../../etc/passwd',
  '/docs/assets/..%2f..%2fpackage.json',
  '*',
]

const parameterNames = [
  ...new Set(table.flatMap(({ required, optional }) => [...Object.keys(required), ...Object.keys(optional)])),
]
const someName = fc.oneof(fc.constantFrom(...parameterNames, ...PROTOTYPE_KEYS), fc.string({ maxLength: 8 }))

/** Characters of one byte each, the higher half of which is broken UTF-8 nearly always. */
function someBytes(maxLength: number) {
  return fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'))
}
const someValue = fc.oneof(
  fc.constantFrom(...NUMBERS, ...WORDS, ...PROTOTYPE_KEYS),
  fc.string({ unit: 'binary', maxLength: 20 }),
  someBytes(20),
  fc.constantFrom('a', '0x', ',', '[', '%41').chain((unit) => fc.nat(400).map((count) => unit.repeat(count))),
)

/** Encoded, or as raw as a request line can carry it. */
function inTarget(value: string): fc.Arbitrary<string> {
  return fc.constantFrom(
    encodeURIComponent(value.toWellFormed()),
    [...value].filter((each) => each > ' ' && each <= 'ÿ' && each !== '#').join(''),
  )
}

const someQuery = fc
  .array(
    fc.tuple(someName, someValue).chain((pair) => fc.tuple(...pair.map(inTarget))),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`))

const someRow = fc.constantFrom(...table)
const somePath = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('chain', 'xlayer', 'explorer'), someRow)
      .map(([segment, { path }]) => `/api/v5/${segment}${path}`),
  },
  { weight: 1, arbitrary: fc.constantFrom(...OTHER_PATHS) },
  {
    weight: 2,
    arbitrary: someBytes(60)
      .chain(inTarget)
      .map((path) => `/${path}`),
  },
  {
    weight: 1,
    arbitrary: someBytes(20)
      .chain(inTarget)
      .map((path) => `/api/v5/chain/${path}`),
  },
)

const someHeaders = fc
  .dictionary(
    fc.constantFrom(
      'accept',
      'accept-encoding',
      'access-control-request-headers',
      'content-type',
      'content-encoding',
      'cookie',
      'expect',
      'forwarded',
      'host',
      'origin',
      'range',
      'svc-access-key',
      'svc-access-sign',
      'svc-access-timestamp',
      'ok-access-key',
      'x-forwarded-for',
      'x-forwarded-host',
      'if-none-match',
      'upgrade',
    ),
    fc.oneof(
      someBytes(60),
      fc.constantFrom(
        'application/json',
        'text/plain',
        'gzip',
        '*/*',
        'identity, '.repeat(50),
        new Date().toISOString(),
        'x'.repeat(1_000),
      ),
    ),
    { maxKeys: 3 },
  )
  .map((headers) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')]),
    ),
  )
  // This one makes node:http wait for a word that the server need not give.
  .filter(({ expect }) => expect === undefined)

const jsonText = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.dictionary(someName, fc.oneof(someValue, fc.jsonValue()), { maxKeys: 6 }).map((body) => JSON.stringify(body)),
  fc
    .constantFrom('__proto__', 'constructor')
    .map((key) => `{"chainShortName":"DEV","${key}":{"guid":"x","toString":null}}`),
  fc
    .constantFrom('[', '{"a":')
    .chain((open) => fc.nat(2_500).map((depth) => `${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`)),
  fc.constantFrom(
    '{"chainShortName":1e999}',
    '{"chainShortName":"DEV","guid":"\\ud800"}',
    `{"n":${'9'.repeat(5_000)}}`,
    '\ufeff{}',
  ),
)
const someBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  { weight: 5, arbitrary: jsonText },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(jsonText, fc.nat(), fc.nat(255))
      .map(([text, at, byte]) => withByte(Buffer.from(text), at, byte)),
  },
)

function withByte(bytes: Buffer, at: number, byte: number): Buffer {
  if (bytes.length > 0) bytes[at % bytes.length] = byte
  return bytes
}

/** A request of the spec with one parameter more or another value in it: most of these get as far as a handler. */
const nearlyRight: fc.Arbitrary<FuzzRequest> = fc
  .tuple(someRow, someName, fc.oneof(someValue, fc.jsonValue()), fc.constantFrom('chain', 'xlayer'))
  .chain(([row, name, value, segment]) => {
    const path = `/api/v5/${segment}${row.path}`
    const params = Object.entries({ ...sampleOf(row), [row.method === 'GET' && name === '' ? 'x' : name]: value })
    if (row.method === 'POST') {
      const body = `{${params.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`).join(',')}}`
      return fc.constant({ method: 'POST', target: path, body, isSigned: true })
    }
    return fc
      .tuple(
        ...params.map(([key, each]) =>
          inTarget(`${key}=${typeof each === 'string' ? each : JSON.stringify(each)}`).map((text) =>
            text.replace('%3D', '='),
          ),
        ),
      )
      .map((pairs) => ({ target: `${path}?${pairs.join('&')}`, isSigned: true }))
  })

const anything: fc.Arbitrary<FuzzRequest> = fc
  .record({
    method: fc.oneof(fc.constantFrom('GET', 'POST'), fc.constantFrom(...METHODS)),
    path: somePath,
    query: someQuery,
    headers: someHeaders,
    body: fc.option(someBody),
    isSigned: fc.boolean(),
  })
  .map(({ method, path, query, headers, body, isSigned }) => ({
    method,
    target: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers,
    isSigned,
    ...(body !== null && method !== 'GET' && { body }),
  }))

const RPC_METHODS = [
  ...['eth_blockNumber', 'eth_call', 'eth_estimateGas', 'eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'],
  ...[
    'eth_getStorageAt',
    'eth_getBlockByHash',
    'eth_getBlockByNumber',
    'eth_getBlockReceipts',
    'eth_getTransactionReceipt',
  ],
  ...[
    'eth_getTransactionByBlockNumberAndIndex',
    'eth_chainId',
    'constructor',
    '__proto__',
    'toString',
    'eth_sendRawTransaction',
  ],
]
const rpcParam = fc.oneof(
  fc.constantFrom('pending', AN_ADDRESS, A_HASH, '0x0', `0x${'f'.repeat(64)}`, `0x${'f'.repeat(5_000)}`, true, null),
  fc.constantFrom(
    { to: AN_ADDRESS, data: '0x' },
    { blockHash: A_HASH },
    { blockNumber: '0x1' },
    { [AN_ADDRESS]: { balance: '0x1' } },
  ),
  someValue,
  fc.jsonValue({ maxDepth: 3 }),
)
const rpcCall = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '2.0', '1.0', 2, null),
    id: fc.oneof<fc.Arbitrary<unknown>[]>(fc.nat(), fc.string(), fc.jsonValue({ maxDepth: 1 })),
    method: fc.oneof<fc.Arbitrary<unknown>[]>(
      fc.constantFrom(...RPC_METHODS),
      someValue,
      fc.jsonValue({ maxDepth: 1 }),
    ),
    params: fc.oneof<fc.Arbitrary<unknown>[]>(fc.array(rpcParam, { maxLength: 4 }), fc.jsonValue({ maxDepth: 2 })),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
)
const rpc: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.constantFrom('/', '/flashblocks'),
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .oneof(rpcCall, fc.array(rpcCall, { maxLength: 5 }))
          .map((call): string | Buffer => JSON.stringify(call)),
      },
      { weight: 1, arbitrary: someBody },
    ),
  )
  .map(([target, body]) => ({ method: 'POST', target, body, isSigned: false }))

export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 4, arbitrary: nearlyRight },
  { weight: 4, arbitrary: anything },
  { weight: 2, arbitrary: rpc },
)
