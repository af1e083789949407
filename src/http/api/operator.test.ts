import { expect, test } from 'vitest'
import { createOperator } from '../../access/operator.ts'
import { createLog } from '../../lib/log.ts'
import { createMetrics } from '../../lib/metrics.ts'
import { createAddressLimit } from '../admission/admission.ts'
import { createApp } from '../app.ts'
import { addGuardedFigureRoutes, addHealthRoutes, createOperatorApp } from './operator.ts'

const TOKEN = 'a-token-of-some-length'
const view = { notReadyReasons: () => [], status: () => ({ version: '1' }) }

function publicApp() {
  const metrics = createMetrics()
  const app = createApp({
    log: createLog({ level: 'silent', pretty: false }),
    metrics,
    trustedProxies: [],
    maxConnections: 10,
  })
  const ended = { end: async () => undefined, isEnded: async () => false }
  const operator = createOperator({ token: TOKEN, ended, nowMs: Date.now })
  addHealthRoutes(app, view)
  addGuardedFigureRoutes(app, { view, metrics }, { operator, addressLimit: createAddressLimit(undefined) })
  return app
}

const LOCAL = { remoteAddress: '127.0.0.1', headers: { host: 'localhost:8545' } }
const REMOTE = { remoteAddress: '192.0.2.7', headers: { host: 'explorer.example' } }

test.each(['/status', '/metrics'])(
  '%s on the public port is for this machine and for the operator token',
  async (url) => {
    const app = publicApp()
    const statusFor = async (client: { remoteAddress: string; headers: Record<string, string> }) =>
      (await app.inject({ url, ...client })).statusCode
    const withHeader = (client: typeof REMOTE, name: string, value: string) => ({
      ...client,
      headers: { ...client.headers, [name]: value },
    })
    expect(await statusFor(LOCAL)).toBe(200)
    expect(await statusFor(REMOTE)).toBe(401)
    expect(await statusFor(withHeader(REMOTE, 'authorization', `Bearer ${TOKEN}`))).toBe(200)
    expect(await statusFor(withHeader(REMOTE, 'authorization', 'Bearer another-token-of-some-length'))).toBe(401)
    // A proxy on this machine forwards requests of others, and another site may point its name at this machine.
    expect(await statusFor(withHeader(LOCAL, 'x-forwarded-for', '192.0.2.7'))).toBe(401)
    expect(await statusFor(withHeader(LOCAL, 'host', 'rebound.example'))).toBe(401)
  },
)

test.each(['/health', '/ready', '/status', '/metrics'])('%s cannot be read by scripts of other sites', async (url) => {
  const headers = { ...LOCAL.headers, origin: 'https://elsewhere.example' }
  const answer = await publicApp().inject({ url, ...LOCAL, headers })
  expect(answer.statusCode).toBe(200)
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('the port of the operator answers health, readiness, status and metrics to whoever reaches it', async () => {
  const app = createOperatorApp({ view, metrics: createMetrics() })
  for (const url of ['/health', '/ready', '/status', '/metrics']) {
    expect((await app.inject({ url, ...REMOTE })).statusCode, url).toBe(200)
  }
})
