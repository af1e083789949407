// Decisions 2 to 5: who is let in, who is not, and what a refused request gets.
import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiCredentials } from '../../src/client/sign.ts'
import { issueKey, outputOf } from '../support/command.ts'
import { forgedSignature, otherSpellingsOf } from '../support/forgeries.ts'
import { ACCEPTED, GET, POST, withHeaders } from '../support/requests.ts'
import { createSender, type Got, type Sender, type Sent, signedHeaders } from '../support/sender.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

function nowIso(shiftMs = 0): string {
  return new Date(Date.now() + shiftMs).toISOString()
}
/** A request signed for exactly this time. */
function signedAt(by: ApiCredentials, request: Sent, timestamp: string): Sent {
  return withHeaders(request, signedHeaders(by, { ...request, timestamp }))
}

describe('a server that logs everything', () => {
  let server: TestServer
  let sender: Sender
  let neighbour: ApiCredentials

  beforeAll(async () => {
    server = await startTestServer({
      LOG_LEVEL: 'trace',
      RATE_LIMIT_IP: '0',
      RATE_LIMIT_KEY: '0',
    })
    sender = createSender(server)
    neighbour = await issueKey(server.dataDir, 'neighbour')
  })

  afterAll(async () => {
    sender?.close()
    await server?.stop()
  })

  test('a server that logs everything accepts each of 250 signed submissions once and none of 1,000 replays', async () => {
    for (let i = 0; i < 250; i++) {
      // From a clock that is ahead, so that it is good for longer than a slow machine needs; and no two are alike.
      const copy = signedAt(server.credentials, POST, nowIso(20_000 + i))
      const answers = await Promise.all(Array.from({ length: 5 }, () => sender.unsigned(copy)))
      expect(answers.map(({ code }) => code).sort()).toEqual(['50001', '50113', '50113', '50113', '50113'])
    }
  }, 180_000)

  test('a server that logs everything accepts no replay in another spelling', async () => {
    const copy = signedAt(server.credentials, POST, nowIso())
    expect(await sender.unsigned(copy)).toMatchObject(ACCEPTED)
    const sign = String(copy.headers!['svc-access-sign'])
    for (const spelling of otherSpellingsOf(sign)) {
      const got = await sender.unsigned(withHeaders(copy, { 'svc-access-sign': spelling }))
      expect(got, spelling).toMatchObject({ status: 401, code: '50113' })
    }
    const { 'svc-access-sign': _, ...others } = copy.headers as Record<string, string>
    const renamed = { ...copy, headers: { ...others, 'OK-ACCESS-SIGN': sign } }
    expect(await sender.unsigned(renamed)).toMatchObject({ status: 401, code: '50113' })
  })

  test('a server that logs everything lets a signed GET be repeated', async () => {
    const copy = signedAt(server.credentials, GET, nowIso())
    for (let i = 0; i < 3; i++) expect(await sender.unsigned(copy)).toMatchObject(ACCEPTED)
  })

  test('a server that logs everything accepts none of 1,000 forged signatures', async () => {
    const forgeries = Array.from({ length: 1_000 }, (_, i) => {
      const request = { ...(i % 2 === 0 ? GET : POST), timestamp: nowIso(-i) }
      const sign = forgedSignature({ victim: server.credentials, other: neighbour }, request, i)
      return withHeaders(request, { ...signedHeaders(server.credentials, request), 'svc-access-sign': sign })
    })
    const answers = await Promise.all(forgeries.map((each) => sender.unsigned(each)))
    const strange = answers.filter(({ status, code }) => status !== 401 || code !== '50113')
    expect(strange.map(({ text }) => text)).toEqual([])
  })

  test('a server that logs everything accepts a signature in no spelling but base64', async () => {
    const copy = signedAt(server.credentials, GET, nowIso())
    for (const spelling of otherSpellingsOf(String(copy.headers!['svc-access-sign']))) {
      const got = await sender.unsigned(withHeaders(copy, { 'svc-access-sign': spelling }))
      expect(got, spelling).toMatchObject({ status: 401, code: '50113' })
    }
  })

  test.for([29_000, -29_000])('a server that logs everything accepts a clock that is %i ms off', async (shiftMs) => {
    expect(await promptly(() => sender.unsigned(signedAt(server.credentials, GET, nowIso(shiftMs))))).toMatchObject(
      ACCEPTED,
    )
  })

  test.for([31_000, -31_000, 3_600_000, -3_600_000])(
    'a server that logs everything refuses a clock that is %i ms off and names its own time',
    async (shiftMs) => {
      const got = await promptly(() => sender.unsigned(signedAt(server.credentials, GET, nowIso(shiftMs))))
      expect(got).toMatchObject({ status: 401, code: '50102', msg: expect.stringContaining('TIMESTAMP') })
      const serverTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.exec(got.msg)![0]
      expect(Math.abs(Date.parse(serverTime) - Date.now())).toBeLessThan(29_000)
    },
  )

  test('a server that logs everything takes timestamps with and without milliseconds and no other form', async () => {
    const second = nowIso().replace(/\.\d{3}Z$/, 'Z')
    expect(await sender.unsigned(signedAt(server.credentials, GET, second))).toMatchObject(ACCEPTED)
    const epochMs = Date.now()
    const malformed = [
      'now',
      String(epochMs),
      String(epochMs / 1000),
      nowIso().replace('Z', ''),
      nowIso().replace('Z', '+00:00'),
    ]
    const more = [
      nowIso().replace('T', ' '),
      nowIso().slice(0, 10),
      `${nowIso()}x`,
      '2026-13-01T00:00:00Z',
      '0',
      'NaN',
      '-1',
    ]
    for (const timestamp of [...malformed, ...more]) {
      const got = await sender.unsigned(signedAt(server.credentials, GET, timestamp))
      expect(got, timestamp).toMatchObject({ status: 401, code: '50112', msg: expect.stringContaining('TIMESTAMP') })
    }
  })

  test('a server that logs everything names the header that is missing or blank', async () => {
    const codes = { key: '50103', passphrase: '50104', sign: '50106', timestamp: '50107' }
    for (const [part, code] of Object.entries(codes)) {
      const full = signedHeaders(server.credentials, { ...GET, timestamp: nowIso() })
      const { [`svc-access-${part}`]: _, ...without } = full
      for (const headers of [without, { ...full, [`svc-access-${part}`]: '' }]) {
        const got = await sender.unsigned(withHeaders(GET, headers))
        expect(got).toMatchObject({
          status: 401,
          code,
          msg: expect.stringContaining(`SVC-ACCESS-${part.toUpperCase()}`),
        })
      }
    }
  })

  test('a server that logs everything refuses a wrong passphrase and an unknown key', async () => {
    const { passphrase, key } = server.credentials
    for (const wrong of [
      'x',
      passphrase.toUpperCase(),
      passphrase.slice(0, -1),
      `${passphrase}x`,
      neighbour.passphrase,
    ]) {
      const got = await sender.signed(GET, { ...server.credentials, passphrase: wrong })
      expect(got).toMatchObject({ status: 401, code: '50105', msg: expect.stringContaining('PASSPHRASE') })
    }
    for (const unknown of [randomUUID(), key.toUpperCase(), key.slice(0, -1), `${key}0`, '__proto__', "' or 1=1 --"]) {
      const got = await sender.signed(GET, { ...server.credentials, key: unknown })
      expect(got, unknown).toMatchObject({ status: 401, code: '50111', msg: expect.stringContaining('KEY') })
    }
    expect(await sender.signed(GET)).toMatchObject(ACCEPTED)
  })

  test('a server that logs everything refuses a key within a second after another process revoked it', async () => {
    const doomed = await issueKey(server.dataDir, 'doomed')
    const using = new AbortController()
    const user = useUntil(using.signal, () => sender.signed(GET, doomed))
    expect(await sender.signed(GET, doomed)).toMatchObject(ACCEPTED)
    await outputOf(server.dataDir, 'keys', 'revoke', doomed.key)
    await sleep(1_000)
    for (let i = 0; i < 10; i++) expect(await sender.signed(GET, doomed)).toMatchObject({ status: 401, code: '50111' })
    using.abort()
    await user
    expect(await sender.signed(GET, neighbour)).toMatchObject(ACCEPTED)
  })

  test('a server that logs everything issues keys in the shape that real clients know', () => {
    for (const { key, secret } of [server.credentials, neighbour]) {
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(secret).toMatch(/^[0-9A-F]{32}$/)
    }
  })

  test('a server that logs everything lets only its owner read the development key and the sealing secret', () => {
    for (const file of ['dev-key.json', 'keys-secret']) {
      expect(statSync(join(server.dataDir, file)).mode & 0o777, file).toBe(0o600)
    }
  })

  test('a server that logs everything shows the development key to this machine and to no other site, host or proxy', async () => {
    const target = '/docs/dev-key.json'
    const { headers, text } = await sender.unsigned({ target, headers: { origin: 'https://elsewhere.example' } })
    expect(JSON.parse(text)).toEqual(server.credentials)
    expect(headers['access-control-allow-origin']).toBeUndefined()
    for (const others of [{ host: 'elsewhere.example' }, { 'x-forwarded-for': '203.0.113.9' }]) {
      const got = await sender.unsigned({ target, headers: others as Record<string, string> })
      expect(got.status).toBe(404)
      expect(got.text).not.toContain(server.credentials.secret)
    }
  })

  test('a server that logs everything stores neither secret nor passphrase in clear in the database', () => {
    const bytes = Buffer.concat(
      ['firstlight.sqlite', 'firstlight.sqlite-wal'].map((file) => readFileSync(join(server.dataDir, file))),
    )
    for (const { key, secret, passphrase } of [server.credentials, neighbour]) {
      expect(bytes.includes(key)).toBe(true)
      for (const hidden of [secret, secret.toLowerCase(), Buffer.from(secret, 'hex'), passphrase]) {
        expect(bytes.includes(hidden)).toBe(false)
      }
    }
  })

  test('a server that logs everything prints the development key once, in its banner, and no other secret', async () => {
    const { secret, passphrase } = server.credentials
    const copy = signedAt(server.credentials, GET, nowIso())
    await sender.unsigned(copy)
    await sender.unsigned(withHeaders(copy, { 'svc-access-sign': 'wrong' }))
    await outputOf(server.dataDir, 'keys', 'list')
    const output = server.output()
    expect(output).toContain('"level":"debug"')
    for (const shownOnce of [secret, passphrase]) expect(output.split(shownOnce)).toHaveLength(2)
    const sealing = readFileSync(join(server.dataDir, 'keys-secret'), 'utf8').trim()
    for (const hidden of [String(copy.headers!['svc-access-sign']), neighbour.secret, neighbour.passphrase, sealing]) {
      expect(output).not.toContain(hidden)
    }
  })
})

/** On a busy machine a request may take so long, a second, that its timestamp means something else by then: ask again. */
async function promptly(ask: () => Promise<Got>): Promise<Got> {
  for (;;) {
    const startedMs = Date.now()
    const got = await ask()
    if (Date.now() - startedMs < 900) return got
  }
}

async function useUntil(signal: AbortSignal, use: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await use()
    await sleep(20)
  }
}
