// Decisions 2 to 5 where the operator switched signing off for requests of the same machine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTED, GET, POST, withHeaders } from '../support/requests.ts'
import { createSender, type Sender } from '../support/sender.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

describe('a server with AUTH=off', () => {
  let server: TestServer
  let sender: Sender

  beforeAll(async () => {
    server = await startTestServer({ AUTH: 'off', RATE_LIMIT_IP: '0', RATE_LIMIT_KEY: '0' })
    sender = createSender(server)
  })

  afterAll(async () => {
    sender?.close()
    await server?.stop()
  })

  test('a server with AUTH=off accepts unsigned requests from its own machine', async () => {
    for (const request of [GET, POST]) expect(await sender.unsigned(request)).toMatchObject(ACCEPTED)
  })

  test('a server with AUTH=off does not take a forwarded request for one of its own machine', async () => {
    const forwarded = [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '' },
      { forwarded: 'for=203.0.113.9' },
    ]
    for (const headers of forwarded) {
      expect(await sender.unsigned(withHeaders(GET, headers as Record<string, string>))).toMatchObject({
        status: 401,
        code: '50103',
      })
    }
  })

  test('a server with AUTH=off still checks the signature of a request that has one', async () => {
    expect(await sender.signed(GET)).toMatchObject(ACCEPTED)
    const got = await sender.signed(GET, { ...server.credentials, secret: 'F'.repeat(32) })
    expect(got).toMatchObject({ status: 401, code: '50113' })
  })
})
