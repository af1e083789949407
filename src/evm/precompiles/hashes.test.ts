import { expect, test } from 'vitest'
import { bytesToHex } from '../../chain/bytes/hex.ts'
import { identity, ripemd160, sha256 } from './hashes.ts'
import type { Precompile } from './precompile.ts'

const abc = new TextEncoder().encode('abc')

function outputOf(precompile: Precompile, input: Uint8Array) {
  const result = precompile(input, 100_000)
  return result.ok ? { gasUsed: result.gasUsed, output: bytesToHex(result.output) } : null
}

test('the precompile at 0x02 hashes with SHA-256', () => {
  expect(outputOf(sha256, abc)).toEqual({
    gasUsed: 72,
    output: '0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  })
})

test('the precompile at 0x03 hashes with RIPEMD-160 and pads the hash to a word', () => {
  expect(outputOf(ripemd160, abc)).toEqual({
    gasUsed: 720,
    output: '0x0000000000000000000000008eb208f7e05d987a9b044a8e98c6b087f15a0bfc',
  })
})

test('the identity precompile copies: a later change of the input leaves the output alone', () => {
  const input = Uint8Array.of(1, 2, 3)
  const result = identity(input, 18)
  input[0] = 9
  expect(result).toEqual({ ok: true, gasUsed: 18, output: Uint8Array.of(1, 2, 3) })
})

test.each([
  [sha256, 60, 12],
  [ripemd160, 600, 120],
  [identity, 15, 3],
])('hashing and copying cost gas for the call and for each word begun', (precompile, base, perWord) => {
  for (const [length, words] of [
    [0, 0],
    [1, 1],
    [32, 1],
    [33, 2],
  ] as const) {
    const gas = base + perWord * words
    expect(outputOf(precompile, new Uint8Array(length))?.gasUsed).toBe(gas)
    expect(precompile(new Uint8Array(length), gas - 1)).toMatchObject({ ok: false })
  }
})
