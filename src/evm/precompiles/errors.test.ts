// What a precompile says when it fails. The texts are those of geth and op-geth; `npm run judge:op-geth` compares them with op-geth.
import { expect, test } from 'vitest'
import { concatBytes } from '../../chain/bytes/hex.ts'
import { rulesOfFork } from '../../chain/rules/forks.ts'
import { integerToBytes } from './precompile.ts'
import { precompilesFor } from './table.ts'

const PLENTY = 1e12
const BN254_MODULUS = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
const BLS_MODULUS = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn

function errorOf(address: bigint, input: Uint8Array, gas = PLENTY): string | undefined {
  const result = precompilesFor(rulesOfFork('karst')).get(address)!(input, gas)
  return result.ok ? undefined : result.error
}

function words(...values: bigint[]): Uint8Array {
  return concatBytes(...values.map((value) => integerToBytes(value, 32)))
}

function blakeInput(flag: number): Uint8Array {
  const input = new Uint8Array(213)
  input[212] = flag
  return input
}

function elements(...values: bigint[]): Uint8Array {
  return concatBytes(...values.map((value) => integerToBytes(value, 64)))
}

test.each([
  ['too little gas', 0x06n, words(1n, 2n), 149, 'out of gas'],
  [
    'a long number of MODEXP',
    0x05n,
    words(1025n, 0n, 1n),
    PLENTY,
    'one or more of base/exponent/modulus length exceeded 1024 bytes',
  ],
  ['a coordinate outside the field of bn254', 0x06n, words(BN254_MODULUS, 2n), PLENTY, 'invalid fp.Element encoding'],
  ['a point outside the curve bn254', 0x07n, words(1n, 1n), PLENTY, 'point is not on curve'],
  ['a part of a pair of bn254', 0x08n, new Uint8Array(191), PLENTY, 'bad elliptic curve pairing size'],
  [
    'more pairs of bn254 than the OP Stack takes',
    0x08n,
    new Uint8Array(192 * 301),
    PLENTY,
    'bad elliptic curve pairing input size',
  ],
  ['a wrong length of BLAKE2', 0x09n, new Uint8Array(212), PLENTY, 'invalid input length'],
  ['a wrong flag of BLAKE2', 0x09n, blakeInput(2), PLENTY, 'invalid final flag'],
  ['a wrong length of the point evaluation', 0x0an, new Uint8Array(191), PLENTY, 'invalid input length'],
  ['a hash of another commitment', 0x0an, new Uint8Array(192), PLENTY, 'mismatched versioned hash'],
  ['a wrong length on BLS12-381', 0x0bn, new Uint8Array(255), PLENTY, 'invalid input length'],
  ['bytes before a number of BLS12-381', 0x10n, elements(1n << 384n), PLENTY, 'invalid field element top bytes'],
  ['a number outside the field of BLS12-381', 0x10n, elements(BLS_MODULUS), PLENTY, 'invalid fp.Element encoding'],
  ['a point outside the curve BLS12-381', 0x0bn, elements(1n, 1n, 0n, 0n), PLENTY, 'invalid point: not on curve'],
  [
    'a point outside the group of BLS12-381',
    0x0cn,
    concatBytes(elements(0n, 2n), words(1n)),
    PLENTY,
    'g1 point is not on correct subgroup',
  ],
  [
    'more points than the OP Stack takes',
    0x0cn,
    new Uint8Array(160 * 1807),
    PLENTY,
    'g1 msm input size exceeds maximum',
  ],
  [
    'more pairs of BLS12-381 than the OP Stack takes',
    0x0fn,
    new Uint8Array(384 * 409),
    PLENTY,
    'pairing input size exceeds maximum',
  ],
])('a precompile names %s as geth does', (_, address, input, gas, error) => {
  expect(errorOf(address, input, gas)).toBe(error)
})
