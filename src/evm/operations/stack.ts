// PUSH, DUP, SWAP and POP.
import { decodeConstant } from '../state/code.ts'
import { type Operation, operation } from './operation.ts'

function series(count: number, make: (index: number) => Operation): Operation[] {
  return Array.from({ length: count }, (_, index) => make(index + 1))
}

export const stack: readonly Operation[] = [
  operation(0x50, 'POP', { gas: 2, inputs: 1, outputs: 0 }, (frame) => {
    frame.stackSize--
  }),
  operation(0x5f, 'PUSH0', { gas: 2, inputs: 0, outputs: 1, since: 'shanghai' }, (frame) => {
    frame.stack[frame.stackSize++] = 0n
  }),
  ...series(32, push),
  ...series(16, dup),
  ...series(16, swap),
]

function push(length: number): Operation {
  return operation(0x5f + length, `PUSH${length}`, { gas: 3, inputs: 0, outputs: 1 }, (frame) => {
    const at = frame.pc
    const constant = frame.code.constants[at]
    frame.stack[frame.stackSize++] = constant === undefined ? decodeConstant(frame.code, at, length) : constant
    frame.pc = at + length
  })
}

function dup(depth: number): Operation {
  return operation(0x7f + depth, `DUP${depth}`, { gas: 3, inputs: depth, outputs: depth + 1 }, (frame) => {
    const { stack } = frame
    const size = frame.stackSize++
    stack[size] = stack[size - depth]!
  })
}

function swap(depth: number): Operation {
  return operation(0x8f + depth, `SWAP${depth}`, { gas: 3, inputs: depth + 1, outputs: depth + 1 }, (frame) => {
    const { stack } = frame
    const top = frame.stackSize - 1
    const word = stack[top]!
    stack[top] = stack[top - depth]!
    stack[top - depth] = word
  })
}
