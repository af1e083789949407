import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signatureOf, signedHeaders, textToSign } from './sign.ts'

const REQUEST = {
  timestamp: '2026-11-16T20:00:00.000Z',
  method: 'get',
  target: '/api/v5/chain/block/block-list?chainShortName=DEV&limit=2',
  body: '',
}

test('the text to sign is time, upper-case method, target and body without anything between', () => {
  expect(textToSign(REQUEST)).toBe(
    '2026-11-16T20:00:00.000ZGET/api/v5/chain/block/block-list?chainShortName=DEV&limit=2',
  )
  expect(textToSign({ ...REQUEST, method: 'POST', target: '/p', body: '{"a":1}' })).toBe(
    `${REQUEST.timestamp}POST/p{"a":1}`,
  )
})

test('the signature is the vector of RFC 4231, test case 2, in base64', async () => {
  const hex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  expect(await signatureOf('Jefe', 'what do ya want for nothing?')).toBe(Buffer.from(hex, 'hex').toString('base64'))
})

test('a secret and a text beyond ASCII are signed as UTF-8, as node:crypto signs them', async () => {
  const [secret, text] = ['clé-鍵', 'naïve ✓ 𝄞']
  expect(await signatureOf(secret, text)).toBe(createHmac('sha256', secret).update(text).digest('base64'))
})

test('a body of a megabyte is signed whole', async () => {
  const body = 'x'.repeat(1_000_000)
  expect(await signatureOf('s', body)).toBe(createHmac('sha256', 's').update(body).digest('base64'))
  expect(await signatureOf('s', `${body}y`)).not.toBe(await signatureOf('s', body))
})

test('four headers carry key, signature, time and passphrase', async () => {
  const headers = await signedHeaders({ key: 'k', secret: 'Jefe', passphrase: 'p' }, REQUEST)
  expect(headers).toEqual({
    'SVC-ACCESS-KEY': 'k',
    'SVC-ACCESS-SIGN': createHmac('sha256', 'Jefe')
      .update('2026-11-16T20:00:00.000ZGET/api/v5/chain/block/block-list?chainShortName=DEV&limit=2')
      .digest('base64'),
    'SVC-ACCESS-TIMESTAMP': '2026-11-16T20:00:00.000Z',
    'SVC-ACCESS-PASSPHRASE': 'p',
  })
})
