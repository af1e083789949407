// Comparison and bitwise operations.
import { MAX_WORD, toSigned, WORD_MODULUS } from '../core/word.ts'
import { type Operation, operation } from './operation.ts'

const UNARY = { gas: 3, inputs: 1, outputs: 1 }
const BINARY = { gas: 3, inputs: 2, outputs: 1 }
const SHIFT = { ...BINARY, since: 'constantinople' } as const

export const comparison: readonly Operation[] = [
  operation(0x10, 'LT', BINARY, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    stack[top - 1] = stack[top]! < stack[top - 1]! ? 1n : 0n
  }),
  operation(0x11, 'GT', BINARY, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    stack[top - 1] = stack[top]! > stack[top - 1]! ? 1n : 0n
  }),
  operation(0x12, 'SLT', BINARY, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    stack[top - 1] = toSigned(stack[top]!) < toSigned(stack[top - 1]!) ? 1n : 0n
  }),
  operation(0x13, 'SGT', BINARY, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    stack[top - 1] = toSigned(stack[top]!) > toSigned(stack[top - 1]!) ? 1n : 0n
  }),
  operation(0x14, 'EQ', BINARY, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    stack[top - 1] = stack[top]! === stack[top - 1]! ? 1n : 0n
  }),
  operation(0x15, 'ISZERO', UNARY, (frame) => {
    const { stack } = frame
    const top = frame.stackSize - 1
    stack[top] = stack[top]! === 0n ? 1n : 0n
  }),
  operation(0x16, 'AND', BINARY, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    stack[top - 1] = stack[top]! & stack[top - 1]!
  }),
  operation(0x17, 'OR', BINARY, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    stack[top - 1] = stack[top]! | stack[top - 1]!
  }),
  operation(0x18, 'XOR', BINARY, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    stack[top - 1] = stack[top]! ^ stack[top - 1]!
  }),
  operation(0x19, 'NOT', UNARY, (frame) => {
    const { stack } = frame
    const top = frame.stackSize - 1
    stack[top] = MAX_WORD - stack[top]!
  }),
  operation(0x1a, 'BYTE', BINARY, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const index = stack[top]!
    stack[top - 1] = index < 32n ? (stack[top - 1]! >> (248n - 8n * index)) & 0xffn : 0n
  }),
  operation(0x1b, 'SHL', SHIFT, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const bits = stack[top]!
    stack[top - 1] = bits < 256n ? (stack[top - 1]! << bits) & MAX_WORD : 0n
  }),
  operation(0x1c, 'SHR', SHIFT, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const bits = stack[top]!
    stack[top - 1] = bits < 256n ? stack[top - 1]! >> bits : 0n
  }),
  operation(0x1d, 'SAR', SHIFT, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const bits = stack[top]!
    const shifted = toSigned(stack[top - 1]!) >> (bits < 256n ? bits : 255n)
    stack[top - 1] = shifted < 0n ? shifted + WORD_MODULUS : shifted
  }),
  operation(0x1e, 'CLZ', { gas: 5, inputs: 1, outputs: 1, since: 'osaka' }, (frame) => {
    const { stack } = frame
    const top = frame.stackSize - 1
    const word = stack[top]!
    stack[top] = word === 0n ? 256n : BigInt(256 - word.toString(2).length)
  }),
]
