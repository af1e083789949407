import fc from 'fast-check'
import { encodeAbiParameters, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import type { Hex } from '../bytes/hex.ts'
import { decimalsFromAnswer, MAX_TOKEN_TEXT, textFromAnswer, wordFromAnswer } from './token-answers.ts'

function asString(text: string): Hex {
  return encodeAbiParameters([{ type: 'string' }], [text])
}
function asWord(value: bigint): Hex {
  return encodeAbiParameters([{ type: 'uint256' }], [value])
}

test('decoding of token answers reads strings', () => {
  expect(textFromAnswer(asString('Wrapped Ether'))).toBe('Wrapped Ether')
  expect(textFromAnswer(asString('Tëther ₮ 🚀'))).toBe('Tëther ₮ 🚀')
})

test('decoding of token answers reads bytes32 where a string belongs', () => {
  expect(textFromAnswer(stringToHex('MKR', { size: 32 }))).toBe('MKR')
})

test('decoding of token answers takes out what cannot be shown or stored', () => {
  expect(textFromAnswer(asString('A\u0000B\u202eC\n'))).toBe('ABC')
  expect(textFromAnswer(asString('\u0000'))).toBeNull()
  expect(textFromAnswer(`0x${'ff'.repeat(32)}`)).toBeNull()
})

test('decoding of token answers cuts what is too long, without reading all of it', () => {
  expect(textFromAnswer(asString('x'.repeat(500)))).toBe('x'.repeat(MAX_TOKEN_TEXT))
  expect(textFromAnswer(asString('€'.repeat(100_000)))).toBe('€'.repeat(MAX_TOKEN_TEXT))
})

test('decoding of token answers gives null for an answer that says nothing', () => {
  for (const nothing of ['0x', '0x00', asString(''), asWord(0n)] as const) expect(textFromAnswer(nothing)).toBeNull()
  expect(decimalsFromAnswer('0x')).toBeNull()
  expect(wordFromAnswer('0x01')).toBeNull()
})

test('decoding of token answers refuses decimals that no token has', () => {
  expect(decimalsFromAnswer(asWord(18n))).toBe(18)
  expect(decimalsFromAnswer(asWord(255n))).toBe(255)
  expect(decimalsFromAnswer(asWord(256n))).toBeNull()
})

test('decoding of token answers never throws, and what comes out fits', () => {
  const answer = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`),
    fc.string().map((text): Hex => `0x${text}`),
    fc.array(fc.bigInt(0n, 200n)).map((all): Hex => `0x${all.map((value) => asWord(value).slice(2)).join('')}`),
  )
  fc.assert(
    fc.property(answer, (answer) => {
      const text = textFromAnswer(answer)
      if (text !== null) expect([...text].length).toBeLessThanOrEqual(MAX_TOKEN_TEXT)
      decimalsFromAnswer(answer)
    }),
    { numRuns: 1000 },
  )
})
