// Arithmetic modulo 2^256. A sum or difference is brought back into range by a comparison, which is cheaper than a mask.
import { charge, popWords } from '../core/execution-frame.ts'
import { fromSigned, MAX_WORD, toSigned, WORD_MODULUS } from '../core/word.ts'
import { type Operation, operation } from './operation.ts'

const LOW = { gas: 5, inputs: 2, outputs: 1 }
const VERY_LOW = { gas: 3, inputs: 2, outputs: 1 }
const MODULAR = { gas: 8, inputs: 3, outputs: 1 }

export const arithmetic: readonly Operation[] = [
  operation(0x01, 'ADD', VERY_LOW, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const sum = stack[top]! + stack[top - 1]!
    stack[top - 1] = sum > MAX_WORD ? sum - WORD_MODULUS : sum
  }),
  operation(0x02, 'MUL', LOW, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const product = stack[top]! * stack[top - 1]!
    stack[top - 1] = product > MAX_WORD ? product & MAX_WORD : product
  }),
  operation(0x03, 'SUB', VERY_LOW, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    stack[top - 1] = fromSigned(stack[top]! - stack[top - 1]!)
  }),
  operation(0x04, 'DIV', LOW, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const divisor = stack[top - 1]!
    if (divisor !== 0n) stack[top - 1] = stack[top]! / divisor
  }),
  operation(0x05, 'SDIV', LOW, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const divisor = toSigned(stack[top - 1]!)
    if (divisor !== 0n) stack[top - 1] = (toSigned(stack[top]!) / divisor) & MAX_WORD
  }),
  operation(0x06, 'MOD', LOW, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const divisor = stack[top - 1]!
    if (divisor !== 0n) stack[top - 1] = stack[top]! % divisor
  }),
  operation(0x07, 'SMOD', LOW, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const divisor = toSigned(stack[top - 1]!)
    if (divisor !== 0n) stack[top - 1] = fromSigned(toSigned(stack[top]!) % divisor)
  }),
  operation(0x08, 'ADDMOD', MODULAR, (frame) => {
    const { stack } = frame
    const top = popWords(frame, 2)
    const modulus = stack[top - 1]!
    if (modulus !== 0n) stack[top - 1] = (stack[top + 1]! + stack[top]!) % modulus
  }),
  operation(0x09, 'MULMOD', MODULAR, (frame) => {
    const { stack } = frame
    const top = popWords(frame, 2)
    const modulus = stack[top - 1]!
    if (modulus !== 0n) stack[top - 1] = (stack[top + 1]! * stack[top]!) % modulus
  }),
  operation(0x0a, 'EXP', { gas: 10, inputs: 2, outputs: 1 }, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const exponent = stack[top - 1]!
    if (exponent !== 0n) charge(frame, frame.machine.gas.expByte * Math.ceil(exponent.toString(16).length / 2))
    stack[top - 1] = power(stack[top]!, exponent)
  }),
  operation(0x0b, 'SIGNEXTEND', LOW, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const lastByte = stack[top]!
    if (lastByte < 31n) {
      stack[top - 1] = BigInt.asIntN(8 * Number(lastByte) + 8, stack[top - 1]!) & MAX_WORD
    }
  }),
]

function power(base: bigint, exponent: bigint): bigint {
  if (base === 2n) return exponent < 256n ? 1n << exponent : 0n
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) & MAX_WORD
    square = (square * square) & MAX_WORD
  }
  return result
}
