// Decision 32 over HTTP: token buckets per key and per address, announced in headers, and recovery after them.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueKey } from '../support/command.ts'
import { ACCEPTED, GET, withHeaders } from '../support/requests.ts'
import { createSender, type Got, type Sender } from '../support/sender.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

async function start(environment: Record<string, string>): Promise<{ server: TestServer; sender: Sender }> {
  const server = await startTestServer({ RATE_LIMIT_IP: '0', RATE_LIMIT_KEY: '0', ...environment })
  return { server, sender: createSender(server) }
}

describe('the rate of a key', () => {
  let server: TestServer
  let sender: Sender
  beforeAll(async () => {
    ;({ server, sender } = await start({ RATE_LIMIT_KEY: '1', RATE_LIMIT_KEY_BURST: '5' }))
  })
  afterAll(async () => {
    sender?.close()
    await server?.stop()
  })

  test('the rate of a key is its own, and it may go on after Retry-After', async () => {
    const first = await sender.signed(GET)
    expect(first).toMatchObject({ ...ACCEPTED, headers: { 'ratelimit-limit': '5', 'ratelimit-remaining': '4' } })
    const refused = refusedIn(await Promise.all(Array.from({ length: 40 }, () => sender.signed(GET))))
    expect(refused).toMatchObject({ status: 429, code: '50011', headers: { 'ratelimit-remaining': '0' } })
    expect(await sender.signed(GET, await issueKey(server.dataDir, 'neighbour'))).toMatchObject(ACCEPTED)
    expect(await afterRetry(refused, () => sender.signed(GET))).toMatchObject(ACCEPTED)
  })
})

describe('the rate of an address', () => {
  let server: TestServer
  let sender: Sender
  beforeAll(async () => {
    ;({ server, sender } = await start({ RATE_LIMIT_IP: '1', RATE_LIMIT_IP_BURST: '5' }))
  })
  afterAll(async () => {
    sender?.close()
    await server?.stop()
  })

  test('the rate of an address holds whatever address it claims to be', async () => {
    const claims = Array.from({ length: 40 }, (_, i) => ({ 'x-forwarded-for': `203.0.113.${i}` }))
    const refused = refusedIn(await Promise.all(claims.map((claim) => sender.unsigned(withHeaders(GET, claim)))))
    expect(refused).toMatchObject({ status: 429, code: '50011', headers: { 'ratelimit-limit': '5' } })
    expect(await sender.unsigned({ target: '/health' })).toMatchObject({ status: 200 })
    expect(await afterRetry(refused, () => sender.signed(GET))).toMatchObject(ACCEPTED)
  })

  test('the rate of an address reaches JSON-RPC clients as a JSON-RPC error', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'
    const call = { method: 'POST', target: '/flashblocks', body, headers: { 'content-type': 'application/json' } }
    const refused = refusedIn(await Promise.all(Array.from({ length: 40 }, () => sender.unsigned(call))))
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect(JSON.parse(refused.text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32005 } })
  })
})

function refusedIn(answers: readonly Got[]): Got {
  const refused = answers.findLast(({ status }) => status === 429)
  expect(refused, 'one of them is refused').toBeDefined()
  return refused!
}

/** Everyone who asks at once waits; so the wait is as long as the server says, and then some for a slow machine. */
async function afterRetry(refused: Got, ask: () => Promise<Got>): Promise<Got> {
  expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  await sleep(Number(refused.headers['retry-after']) * 1_000)
  return ask()
}
