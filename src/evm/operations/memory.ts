// Memory access, and KECCAK256 of memory.
import { bytesToBigint, writeWord } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import { charge, popWords } from '../core/execution-frame.ts'
import { COPY_WORD_GAS, KECCAK_WORD_GAS } from '../core/gas.ts'
import { reserve, toSize } from '../core/memory.ts'
import { wordCount } from '../core/word.ts'
import { type Operation, operation } from './operation.ts'

const STORES = { gas: 3, inputs: 2, outputs: 0 }

export const memory: readonly Operation[] = [
  operation(0x20, 'KECCAK256', { gas: 30, inputs: 2, outputs: 1 }, (frame) => {
    const { stack } = frame
    const top = --frame.stackSize
    const size = toSize(stack[top - 1]!)
    charge(frame, KECCAK_WORD_GAS * wordCount(size))
    const offset = reserve(frame, stack[top]!, size)
    stack[top - 1] = bytesToBigint(keccak256(frame.memory.subarray(offset, offset + size)))
  }),
  operation(0x51, 'MLOAD', { gas: 3, inputs: 1, outputs: 1 }, (frame) => {
    const { stack } = frame
    const top = frame.stackSize - 1
    const offset = reserve(frame, stack[top]!, 32)
    stack[top] = bytesToBigint(frame.memory, offset, offset + 32)
  }),
  operation(0x52, 'MSTORE', STORES, (frame) => {
    const { stack } = frame
    const top = popWords(frame, 2)
    const offset = reserve(frame, stack[top + 1]!, 32)
    writeWord(frame.memory, offset, stack[top]!)
  }),
  operation(0x53, 'MSTORE8', STORES, (frame) => {
    const { stack } = frame
    const top = popWords(frame, 2)
    const offset = reserve(frame, stack[top + 1]!, 1)
    frame.memory[offset] = Number(stack[top]! & 0xffn)
  }),
  operation(0x5e, 'MCOPY', { gas: 3, inputs: 3, outputs: 0, since: 'cancun' }, (frame) => {
    const { stack } = frame
    const top = popWords(frame, 3)
    const size = toSize(stack[top]!)
    charge(frame, COPY_WORD_GAS * wordCount(size))
    const source = reserve(frame, stack[top + 1]!, size)
    const target = reserve(frame, stack[top + 2]!, size)
    frame.memory.copyWithin(target, source, source + size)
  }),
]
