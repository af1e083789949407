import { expect, test } from 'vitest'
import { fullBucket, refilled, secondsUntil } from '../numbers/token-bucket.ts'
import { passphraseHash, passphraseMatches } from './passphrase.ts'
import { createSecretBox } from './secret-box.ts'

test('a sealed secret opens with the same key and label only', () => {
  const box = createSecretBox('one')
  const sealed = box.seal('naïve ✓', 'owner')
  expect(createSecretBox('one').open(sealed, 'owner')).toBe('naïve ✓')
  expect(box.open(sealed, 'other')).toBeUndefined()
  expect(createSecretBox('two').open(sealed, 'owner')).toBeUndefined()
  expect(Buffer.from(box.seal('naïve ✓', 'owner')).equals(Buffer.from(sealed))).toBe(false)
})

test('a box that is damaged anywhere, or cut short, does not open', () => {
  const box = createSecretBox('one')
  const sealed = box.seal('secret', 'owner')
  for (let at = 0; at < sealed.length; at++) {
    const damaged = Uint8Array.from(sealed)
    damaged[at]! ^= 1
    expect(box.open(damaged, 'owner'), `byte ${at}`).toBeUndefined()
  }
  expect([box.open(sealed.subarray(0, 27), 'owner'), box.open(new Uint8Array(), 'owner')]).toEqual([
    undefined,
    undefined,
  ])
})

test('a passphrase matches its own hash, however its accents are composed, and no other', async () => {
  const stored = await passphraseHash('caf\u00e9 au lait')
  expect(await passphraseMatches('cafe\u0301 au lait', stored)).toBe(true)
  expect(await passphraseMatches('cafe au lait', stored)).toBe(false)
  expect(Buffer.from(await passphraseHash('caf\u00e9 au lait')).equals(Buffer.from(stored))).toBe(false)
})

test('a bucket refills with time up to its burst, and not when the clock goes back', () => {
  const rule = { perSecond: 2, burst: 10 }
  expect(fullBucket(rule, 5)).toEqual({ tokens: 10, atMs: 5 })
  expect(refilled({ tokens: 1, atMs: 1_000 }, rule, 2_500)).toEqual({ tokens: 4, atMs: 2_500 })
  expect(refilled({ tokens: 1, atMs: 1_000 }, rule, 60_000)).toEqual({ tokens: 10, atMs: 60_000 })
  expect(refilled({ tokens: 1, atMs: 1_000 }, rule, 0)).toEqual({ tokens: 1, atMs: 1_000 })
  expect(secondsUntil({ tokens: 1, atMs: 0 }, rule, 4)).toBe(2)
  expect(secondsUntil({ tokens: 5, atMs: 0 }, rule, 4)).toBe(0)
})
