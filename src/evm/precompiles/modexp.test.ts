import { expect, test } from 'vitest'
import { concatBytes, EMPTY_BYTES, hexToBytes } from '../../chain/bytes/hex.ts'
import { modexpBerlin, modexpByzantium, modexpOsaka, powerModulo } from './modexp.ts'
import { integerToBytes } from './precompile.ts'

function word(value: number | bigint) {
  return integerToBytes(BigInt(value), 32)
}
function lengths(base: number | bigint, exponent: number | bigint, modulus: number | bigint) {
  return concatBytes(word(base), word(exponent), word(modulus))
}
function encode(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array) {
  return concatBytes(lengths(base.length, exponent.length, modulus.length), base, exponent, modulus)
}
function ok(gasUsed: number, output: Uint8Array) {
  return { ok: true, gasUsed, output }
}

const PRIME = (1n << 256n) - (1n << 32n) - 977n
const PLENTY = 2 ** 50

test('modexp raises to a power modulo a prime (first example of EIP-198)', () => {
  const input = encode(Uint8Array.of(3), word(PRIME - 1n), word(PRIME))
  expect(modexpByzantium(input, 13056)).toEqual(ok(13056, word(1)))
  expect(modexpBerlin(input, 1360)).toEqual(ok(1360, word(1)))
  expect(modexpOsaka(input, 4080)).toEqual(ok(4080, word(1)))
  expect(modexpBerlin(input, 1359)).toMatchObject({ ok: false })
  expect(modexpOsaka(input, 4079)).toMatchObject({ ok: false })
})

test('modexp reads zeros past the end of the input', () => {
  // Third and fourth example of EIP-198: the modulus begins with 0x80 and goes on with zeros.
  const cut = hexToBytes(`0x${'00'.repeat(31)}01${'00'.repeat(31)}02${'00'.repeat(31)}2003ffff80`)
  const expected = hexToBytes('0x3b01b01ac41f2d6e917c6d6a221ce793802469026d9ab7578fa2e79e4da6aaab')
  expect(modexpBerlin(cut, 200)).toEqual(ok(200, expected))
})

test.each([
  [64, [200, 200, 341], [500, 500, 2048]],
  [128, [200, 200, 1365], [512, 512, 8192]],
  [256, [341, 341, 5461], [2048, 2048, 32768]],
  [512, [1365, 1365, 21845], [8192, 8192, 131072]],
  [1024, [5461, 5461, 87381], [32768, 32768, 524288]],
])('modexp charges the published prices for numbers of %i bytes', (size, berlin, osaka) => {
  const number = new Uint8Array(size).fill(0xff)
  const exponents = [Uint8Array.of(2), Uint8Array.of(3), Uint8Array.of(1, 0, 1)]
  const prices = (precompile: typeof modexpBerlin) =>
    exponents
      .map((exponent) => precompile(encode(number, exponent, number), PLENTY))
      .map((each) => each.ok && each.gasUsed)
  expect(prices(modexpBerlin)).toEqual(berlin)
  expect(prices(modexpOsaka)).toEqual(osaka)
})

// The prices of EIP-198 change their formula at 64 and at 1,024 bytes.
test.each([
  [64, 64 * 64],
  [65, Math.floor((65 * 65) / 4) + 96 * 65 - 3072],
  [1024, Math.floor((1024 * 1024) / 4) + 96 * 1024 - 3072],
  [1025, Math.floor((1025 * 1025) / 16) + 480 * 1025 - 199_680],
])('modexp charged by the size of the numbers before Berlin (%i bytes)', (size, complexity) => {
  const number = new Uint8Array(size).fill(0xff)
  const result = modexpByzantium(encode(number, Uint8Array.of(1, 0, 1), number), PLENTY)
  expect(result).toMatchObject({ ok: true, gasUsed: Math.floor((complexity * 16) / 20) })
})

test('modexp counts the bits of a long exponent by its length and its first word', () => {
  const exponent = new Uint8Array(40)
  exponent[31] = 0b100
  const input = encode(word(3), exponent, word(PRIME))
  expect(modexpBerlin(input, PLENTY)).toMatchObject({ gasUsed: Math.floor((16 * (8 * 8 + 2)) / 3) })
  expect(modexpOsaka(input, PLENTY)).toMatchObject({ gasUsed: 16 * (16 * 8 + 2) })
})

test('modexp gives as many bytes as the modulus has', () => {
  expect(modexpBerlin(lengths(0, 0, 0), 200)).toEqual(ok(200, EMPTY_BYTES))
  expect(modexpBerlin(EMPTY_BYTES, 200)).toEqual(ok(200, EMPTY_BYTES))
  expect(modexpBerlin(lengths(1, 1, 3), 200)).toEqual(ok(200, new Uint8Array(3)))
  expect(modexpBerlin(encode(word(7), word(0), Uint8Array.of(0, 1)), 2000)).toMatchObject({ output: new Uint8Array(2) })
  expect(modexpBerlin(encode(word(7), word(0), Uint8Array.of(0, 2)), 2000)).toMatchObject({
    output: Uint8Array.of(0, 1),
  })
})

test('modexp takes any lengths where nothing is computed, and no gas is enough for others', () => {
  const huge = (1n << 256n) - 1n
  expect(modexpBerlin(lengths(0, huge, 0), 200)).toEqual(ok(200, EMPTY_BYTES))
  expect(modexpBerlin(lengths(huge, 0, 0), PLENTY)).toMatchObject({ ok: false })
  expect(modexpBerlin(lengths(1, huge, 1), PLENTY)).toMatchObject({ ok: false })
  expect(modexpBerlin(lengths(0, 0, huge), PLENTY)).toMatchObject({ ok: false })
})

test('modexp refuses lengths above 1024 since Osaka', () => {
  expect(modexpOsaka(lengths(1024, 1024, 1024), PLENTY)).toMatchObject({ ok: true })
  expect(modexpOsaka(lengths(1025, 0, 0), PLENTY)).toMatchObject({ ok: false })
  expect(modexpOsaka(lengths(0, 1025, 0), PLENTY)).toMatchObject({ ok: false })
  expect(modexpOsaka(lengths(0, 0, 1025), PLENTY)).toMatchObject({ ok: false })
})

test('modexp computes small powers', () => {
  for (let exponent = 0; exponent < 300; exponent++) {
    const bytes = integerToBytes(BigInt(exponent), 2)
    expect(powerModulo(7n, bytes, 1000n)).toBe(7n ** BigInt(exponent) % 1000n)
  }
})
