import { createHmac, createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAuthenticator } from './authenticate.ts'
import { nameProblem, passphraseProblem } from './key-rules.ts'

const NOW_MS = Date.UTC(2026, 10, 16, 20, 0, 0)
const REQUEST = { method: 'GET', target: '/api/v5/chain/x?a=1', body: new Uint8Array() }

function createParts() {
  const used = new Set<string>()
  const key = {
    id: 'k',
    hmacKey: createSecretKey('secret', 'utf8'),
    passphraseIs: (passphrase: string) => passphrase === 'right phrase',
  }
  return createAuthenticator({
    prefixes: ['SVC', 'OK'],
    keyRing: { find: (id: string) => (id === 'k' ? key : undefined) } as never,
    signatures: {
      use: async (signature) => {
        const text = Buffer.from(signature).toString('hex')
        return !used.has(text) && used.add(text) !== undefined
      },
      prune: async () => 0,
    },
    nowMs: () => NOW_MS,
  })
}

function headersAt(timestamp: string, change: Record<string, string> = {}) {
  return {
    'svc-access-key': 'k',
    'svc-access-sign': createHmac('sha256', 'secret').update(`${timestamp}GET${REQUEST.target}`).digest('base64'),
    'svc-access-timestamp': timestamp,
    'svc-access-passphrase': 'right phrase',
    ...change,
  }
}

const NOW = '2026-11-16T20:00:00.000Z'

function keyOfFailure(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return (error as { key: unknown }).key
  }
  return 'accepted'
}

test('each missing header is named by a failure of its own, and a blank one is missing', () => {
  const { credentialsFrom } = createParts()
  const without = (name: string) => keyOfFailure(() => credentialsFrom(headersAt(NOW, { [`svc-access-${name}`]: '' })))
  expect(['key', 'sign', 'timestamp', 'passphrase'].map(without)).toEqual([
    'keyMissing',
    'signatureMissing',
    'timestampMissing',
    'passphraseMissing',
  ])
})

test('a timestamp thirty seconds off on either side is accepted and one millisecond more is not', () => {
  const { credentialsFrom } = createParts()
  const at = (offsetMs: number) =>
    keyOfFailure(() => credentialsFrom(headersAt(new Date(NOW_MS + offsetMs).toISOString())))
  expect([at(-30_000), at(30_000)]).toEqual(['accepted', 'accepted'])
  expect([at(-30_001), at(30_001)]).toEqual(['timestampExpired', 'timestampExpired'])
})

test('a timestamp in seconds, with an offset, or on a day that does not exist is malformed', () => {
  const { credentialsFrom } = createParts()
  const wrong = ['1763323200', '2026-11-16T20:00:00+00:00', '2026-11-16 20:00:00Z', '2026-02-30T00:00:00Z', 'now']
  for (const timestamp of wrong) {
    expect(
      keyOfFailure(() => credentialsFrom(headersAt(timestamp))),
      timestamp,
    ).toBe('timestampMalformed')
  }
})

async function verified(change: Record<string, string> = {}, request = REQUEST): Promise<unknown> {
  const { credentialsFrom, verify } = createParts()
  return verify(credentialsFrom(headersAt(NOW, change)), request).then(
    ({ id }) => id,
    (error) => error.key,
  )
}

test('the key that signed the request is found, under any of the prefixes', async () => {
  expect(await verified()).toBe('k')
  expect(await verified({ 'svc-access-key': '', 'ok-access-key': 'k' })).toBe('k')
})

test('another target, body or passphrase, an unknown key and a signature of another spelling are refused', async () => {
  const sign = headersAt(NOW)['svc-access-sign']
  expect(await verified({}, { ...REQUEST, target: `${REQUEST.target}&b=2` })).toBe('signatureWrong')
  expect(await verified({}, { ...REQUEST, body: Buffer.from('x') })).toBe('signatureWrong')
  expect(await verified({ 'svc-access-sign': sign.replace(/=$/, '') })).toBe('signatureWrong')
  expect(await verified({ 'svc-access-sign': 'AAAA' })).toBe('signatureWrong')
  expect(await verified({ 'svc-access-passphrase': 'wrong' })).toBe('passphraseWrong')
  expect(await verified({ 'svc-access-key': 'other' })).toBe('keyUnknown')
})

test('a POST is accepted once, and a GET again and again', async () => {
  const { credentialsFrom, verify } = createParts()
  const text = `${NOW}POST/p{"a":1}`
  const sign = createHmac('sha256', 'secret').update(text).digest('base64')
  const credentials = credentialsFrom(headersAt(NOW, { 'svc-access-sign': sign }))
  const post = { method: 'POST', target: '/p', body: Buffer.from('{"a":1}') }
  expect((await verify(credentials, post)).id).toBe('k')
  await expect(verify(credentials, post)).rejects.toMatchObject({ key: 'signatureReplayed' })
  const get = credentialsFrom(headersAt(NOW))
  expect([(await verify(get, REQUEST)).id, (await verify(get, REQUEST)).id]).toEqual(['k', 'k'])
})

test('a name is not blank, and a passphrase is 8 to 128 printable characters without blanks at its ends', () => {
  expect([nameProblem('a'), nameProblem('x'.repeat(64))]).toEqual([undefined, undefined])
  expect([nameProblem(' '), nameProblem('x'.repeat(65))]).toEqual(Array(2).fill(expect.stringContaining('a name of')))
  expect([passphraseProblem('12345678'), passphraseProblem('two words')]).toEqual([undefined, undefined])
  expect(passphraseProblem('1234567')).toContain('8 to 128')
  expect(passphraseProblem('x'.repeat(129))).toContain('8 to 128')
  for (const bad of [' 12345678', '12345678 ', 'naïve-word', 'line\nbreak']) {
    expect(passphraseProblem(bad), bad).toContain('printable ASCII')
  }
})
