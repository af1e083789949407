// Byte streams that are hardly HTTP, and sockets that say what a server does with them.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'

const GOOD_GET = 'GET /api/v5/chain/block/block-list?chainShortName=DEV HTTP/1.1\r\nHost: x\r\n\r\n'
const GOOD_RPC = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}'

const FRAGMENTS = [
  GOOD_GET,
  `POST /flashblocks HTTP/1.1\r\nHost: x\r\nContent-Length: ${GOOD_RPC.length}\r\n\r\n${GOOD_RPC}`,
  'GET / HTTP/1.1\r\n',
  'HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /health HTTP/9.9\r\nHost: x\r\n\r\n',
  'get /health http/1.1\r\nhost: x\r\n\r\n',
  'GET  /health  HTTP/1.1\r\n\r\n',
  'GET /health\r\n\r\n',
  'GET http://elsewhere/health HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /%zz%00%ff HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /?__proto__[x]=1&constructor=2 HTTP/1.1\r\nHost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /flashblocks HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
  'POST / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nContent-Length: 2\r\n\r\n{}',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n{}',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n{}',
  'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;ext=1\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
  `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;${'e'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`,
  `GET /${'a'.repeat(30_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(2_500)}\r\n`,
  'GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost : x\r\n: nameless\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'GET / HTTP/1.1\nHost: x\n\n',
  '\r\n\r\n\r\n',
  '\0\0\0\0',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
]

export const rawBytes: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS).map((text) => Buffer.from(text, 'latin1')) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)) },
      // A request cut off somewhere, with what follows running into it.
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom(...FRAGMENTS), fc.nat(200))
          .map(([text, end]) => Buffer.from(text.slice(0, end), 'latin1')),
      },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => Buffer.concat(parts))

/** All that comes back until the server closes; rejects when it does not in time. */
export function answerToBytes(url: string, bytes: Buffer, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.end(bytes))
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`still open after ${timeoutMs} ms, with this so far: ${answer.slice(0, 500)}`))
    }, timeoutMs)
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
    })
    // A reset is a way to close too.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(answer)
    })
  })
}

/** Sends the start of a request and then a byte now and then, until the server has enough of it. Gives its last words. */
export async function drip(url: string, start: string, signal: AbortSignal): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
    .setEncoding('latin1')
    .on('error', () => {})
  let answer = ''
  let isClosed = false
  socket.on('data', (text: string) => {
    answer += text
  })
  for (const event of ['end', 'close'] as const) {
    socket.once(event, () => {
      isClosed = true
    })
  }
  socket.write(start)
  while (!isClosed && !signal.aborted) {
    await sleep(250)
    socket.write('a')
  }
  socket.destroy()
  return isClosed ? answer : 'never cut off'
}
