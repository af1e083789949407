import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { createLocalLimiter } from '../../access/rate-limits.ts'
import { createLog } from '../../lib/log.ts'
import { createMetrics } from '../../lib/metrics.ts'
import { createApp } from '../app.ts'
import { createAddressLimit, parseForm } from './admission.ts'

/** A server that accepts one request per address. */
function appBehind(...trustedProxies: string[]): FastifyInstance {
  const log = createLog({ level: 'silent', pretty: false })
  const app = createApp({ log, metrics: createMetrics(), trustedProxies, maxConnections: 10 })
  const limiter = createLocalLimiter({ perSecond: 1, burst: 1 }, () => 0)
  app.get('/once', { onRequest: createAddressLimit(limiter).limitAddress }, async () => 'in')
  return app
}

async function statusFor(app: FastifyInstance, forwardedFor: string, remoteAddress = '127.0.0.1') {
  return (await app.inject({ url: '/once', remoteAddress, headers: { 'x-forwarded-for': forwardedFor } })).statusCode
}

describe('createAddressLimit', () => {
  test('createAddressLimit behind a trusted proxy the limit counts the address that the proxy names', async () => {
    const app = appBehind('127.0.0.1', '10.0.0.0/8')
    expect(await statusFor(app, '203.0.113.1')).toBe(200)
    expect(await statusFor(app, '203.0.113.1')).toBe(429)
    expect(await statusFor(app, '203.0.113.2')).toBe(200)
    // A client can write the header itself; proxies add their part at the right.
    expect(await statusFor(app, '198.51.100.7, 203.0.113.2')).toBe(429)
    expect(await statusFor(app, '203.0.113.3, 10.1.2.3')).toBe(200)
    expect(await statusFor(app, '198.51.100.8, 203.0.113.3, 10.4.5.6')).toBe(429)
  })

  test('createAddressLimit without a trusted proxy the limit counts the address of the connection', async () => {
    for (const app of [appBehind(), appBehind('192.0.2.1')]) {
      expect(await statusFor(app, '203.0.113.1')).toBe(200)
      expect(await statusFor(app, '203.0.113.2')).toBe(429)
    }
  })

  test('all addresses of an IPv6 /64 network share one limit', async () => {
    const app = appBehind()
    expect(await statusFor(app, '', '2001:db8::1')).toBe(200)
    expect(await statusFor(app, '', '2001:db8::a:b:c:d')).toBe(429)
    expect(await statusFor(app, '', '2001:db8:0:1::1')).toBe(200)
  })
})

test('a field that is sent twice keeps its last value', () => {
  expect(parseForm('name=one&name=two&token=a+b%26c')).toEqual({ name: 'two', token: 'a b&c' })
})

test('a field with the name of a property of objects is only a field', () => {
  expect(Object.getPrototypeOf(parseForm('__proto__=x'))).toBe(Object.prototype)
})
