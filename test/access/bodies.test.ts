// Every door that takes a body, over real sockets: what is too long is refused by its length, before it is sent and without being sent back.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'

const MB = 1_000_000
const BUDGET_MB = 40
const MARKER = 'text-of-the-body'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const AN_ADDRESS = `0x${'77'.repeat(20)}`

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ AUTH: 'off', RATE_LIMIT_IP: '0', BODY_BUDGET_MB: String(BUDGET_MB) })
}, 120_000)
afterAll(() => server?.stop())

/** Sends a head and some bytes, and reads what comes back until the server closes the connection. */
async function answerTo(path: string, type: string, length: number, body: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`)
  await once(socket, 'close')
  return received
}

const doors = [
  ['/', JSON_TYPE, 5 * MB],
  ['/flashblocks', JSON_TYPE, 5 * MB],
  ['/flashblocks/a-key', JSON_TYPE, 5 * MB],
  ['/api', FORM_TYPE, 15 * MB],
  ['/api?module=contract&action=verifysourcecode', FORM_TYPE, 15 * MB],
  ['/api/v5/chain/contract/verify-source-code-plugin/DEV', FORM_TYPE, 15 * MB],
  ['/api/v5/chain/contract/verify-source-code', JSON_TYPE, 10 * MB],
  ['/api/v5/chain/contract/check-verify-result', JSON_TYPE, 16_384],
  ['/api/v5/chain/contract/verify-proxy-contract', JSON_TYPE, 16_384],
  ['/v2/verify/1337200/0x00', JSON_TYPE, 10.5 * MB],
  ['/verify', FORM_TYPE, 15 * MB],
  ['/console/sign-in', FORM_TYPE, 4_096],
  ['/console/sign-out', FORM_TYPE, 4_096],
  ['/console/keys', FORM_TYPE, 4_096],
] as const

test.each(doors)(
  'a body that is one byte too long for POST %s is refused before it is sent',
  async (path, type, limit) => {
    const answer = await answerTo(path, type, limit + 1, MARKER)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).not.toContain(MARKER)
  },
)

test('a POST that no route takes is refused before its body is sent', async () => {
  expect(await answerTo('/nothing-here', JSON_TYPE, 30 * MB, MARKER)).toMatch(/^HTTP\/1\.1 4/)
})

test.each([
  [
    '/api',
    { module: 'contract', action: 'verifysourcecode', contractname: 'A', sourceCode: 'contract A {}' },
    'compilerversion',
  ],
  ['/verify', { contractName: 'A', sourceCode: 'contract A {}' }, 'libraries'],
  ['/verify', { contractName: 'A' }, 'sourceCode'],
] as const)('a refusal of POST %s does not send a long field back', async (path, fields, long) => {
  const body = new URLSearchParams({ ...fields, contractaddress: AN_ADDRESS, contractAddress: AN_ADDRESS })
  body.set(long, '"'.repeat(MB / 2))
  const answer = await (await fetch(`${server.url}${path}`, { method: 'POST', body })).text()
  expect(answer.length).toBeLessThan(100_000)
})

test('announced bodies that never come do not keep others out, and what was refused is counted', async () => {
  const { hostname, port } = new URL(server.url)
  const silent = Array.from({ length: 20 }, () => connect(Number(port), hostname))
  try {
    for (const socket of silent) {
      socket.on('error', () => {})
      socket.write(
        `POST /verify HTTP/1.1\r\nHost: a\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: ${14 * MB}\r\n\r\na=`,
      )
    }
    await sleep(200)
    const body = new URLSearchParams({ contractName: 'A', sourceCode: 'x'.repeat(14 * MB) })
    const honest = await fetch(`${server.url}/verify`, { method: 'POST', body })
    expect(honest.status).toBe(400)
    await honest.text()
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain(`firstlight_body_budget_bytes ${BUDGET_MB * MB}`)
    expect(metrics).toMatch(/^firstlight_bodies_refused_total\{budget="process"\} 0$/m)
  } finally {
    for (const socket of silent) socket.destroy()
  }
})
