// Operations against plain arithmetic. The state tests cover the rest; they end with Cancun.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockOf } from '../../../test/support/evm.ts'
import { bigintToBytes, bytesToBigint, concatBytes } from '../../chain/bytes/hex.ts'
import type { Fork } from '../../chain/rules/forks.ts'
import { call } from '../call/call.ts'
import { MAX_WORD, toSigned } from '../core/word.ts'
import { MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'

const word = fc.oneof(fc.bigInt(0n, MAX_WORD), fc.bigInt(0n, 300n), fc.constantFrom(MAX_WORD, 1n << 255n))

/** The result of one operation, the first operand on top of the stack; null where it halts. */
function result(opcode: number, operands: readonly bigint[], fork: Fork = 'osaka'): bigint | null {
  const pushes = operands.toReversed().map((operand) => concatBytes(Uint8Array.of(0x7f), bigintToBytes(operand, 32)))
  const code = concatBytes(...pushes, Uint8Array.of(opcode, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3))
  const world = new WorldState(new MemoryState([[1000n, { code }]]))
  const { ok, output } = call(world, blockOf(fork), { to: 1000n })
  return ok ? bytesToBigint(output) : null
}

function wrap(value: bigint) {
  return BigInt.asUintN(256, value)
}

const binary: readonly (readonly [string, number, (a: bigint, b: bigint) => bigint])[] = [
  ['ADD', 0x01, (a, b) => wrap(a + b)],
  ['MUL', 0x02, (a, b) => wrap(a * b)],
  ['SUB', 0x03, (a, b) => wrap(a - b)],
  ['DIV', 0x04, (a, b) => (b === 0n ? 0n : a / b)],
  ['SDIV', 0x05, (a, b) => (b === 0n ? 0n : wrap(toSigned(a) / toSigned(b)))],
  ['MOD', 0x06, (a, b) => (b === 0n ? 0n : a % b)],
  ['SMOD', 0x07, (a, b) => (b === 0n ? 0n : wrap(toSigned(a) % toSigned(b)))],
  ['SIGNEXTEND', 0x0b, (a, b) => (a > 30n ? b : wrap(BigInt.asIntN(8 * (Number(a) + 1), b)))],
  ['LT', 0x10, (a, b) => BigInt(a < b)],
  ['SLT', 0x12, (a, b) => BigInt(toSigned(a) < toSigned(b))],
  ['SGT', 0x13, (a, b) => BigInt(toSigned(a) > toSigned(b))],
  ['BYTE', 0x1a, (a, b) => (a > 31n ? 0n : BigInt(bigintToBytes(b, 32)[Number(a)]!))],
  ['SHL', 0x1b, (a, b) => (a > 255n ? 0n : wrap(b << a))],
  ['SHR', 0x1c, (a, b) => (a > 255n ? 0n : b >> a)],
  ['SAR', 0x1d, (a, b) => wrap(toSigned(b) >> (a > 255n ? 255n : a))],
]

test.each(binary)('the operation %s does what arithmetic says', (_, opcode, expected) => {
  fc.assert(fc.property(word, word, (a, b) => result(opcode, [a, b]) === expected(a, b)))
})

test('EXP agrees with multiplying again and again', () => {
  fc.assert(
    fc.property(word, fc.nat(40), (base, exponent) => {
      let product = 1n
      for (let i = 0; i < exponent; i++) product = wrap(product * base)
      expect(result(0x0a, [base, BigInt(exponent)])).toBe(product)
    }),
  )
})

describe('CLZ', () => {
  test('CLZ counts the zeros in front', () => {
    expect([0n, 1n, 0xffn, 1n << 255n].map((value) => result(0x1e, [value]))).toEqual([256n, 255n, 248n, 0n])
  })

  test('CLZ is there from Osaka on', () => expect(result(0x1e, [1n], 'prague')).toBeNull())
})

test('gas is paid before anything else is found wrong, so that too little of it is the reason', () => {
  const failureOf = (code: readonly number[], gas: bigint) => {
    const world = new WorldState(new MemoryState([[1000n, { code: Uint8Array.from(code) }]]))
    return call(world, blockOf('osaka'), { to: 1000n, gas }).failure
  }
  // Copies 2^16 bytes of return data that is not there.
  const copy = [0x62, 1, 0, 0, 0x5f, 0x5f, 0x3e]
  expect(failureOf(copy, 1_000_000n)).toMatchObject({ message: 'return data out of bounds' })
  expect(failureOf(copy, 30_000n)).toMatchObject({ message: 'out of gas' })
})
