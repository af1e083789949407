// Jumps, and the operations that end a frame.
import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import type { ExecutionFrame } from '../core/execution-frame.ts'
import { popWords } from '../core/execution-frame.ts'
import { INVALID_JUMP, REVERTED } from '../core/halt.ts'
import { readMemory, reserve, toSize } from '../core/memory.ts'
import { jumpDestinationsOf } from '../state/code.ts'
import { type Operation, operation } from './operation.ts'

const PUSHES = { gas: 2, inputs: 0, outputs: 1 }

export const control: readonly Operation[] = [
  operation(0x00, 'STOP', { gas: 0, inputs: 0, outputs: 0 }, (frame) => {
    frame.output = EMPTY_BYTES
    frame.isRunning = false
  }),
  operation(0x56, 'JUMP', { gas: 8, inputs: 1, outputs: 0 }, (frame) => {
    jump(frame, frame.stack[--frame.stackSize]!)
  }),
  operation(0x57, 'JUMPI', { gas: 10, inputs: 2, outputs: 0 }, (frame) => {
    const { stack } = frame
    const top = popWords(frame, 2)
    if (stack[top]! !== 0n) jump(frame, stack[top + 1]!)
  }),
  operation(0x58, 'PC', PUSHES, (frame) => {
    frame.stack[frame.stackSize++] = BigInt(frame.pc - 1)
  }),
  operation(0x59, 'MSIZE', PUSHES, (frame) => {
    frame.stack[frame.stackSize++] = BigInt(frame.memorySize)
  }),
  operation(0x5a, 'GAS', PUSHES, (frame) => {
    frame.stack[frame.stackSize++] = BigInt(frame.gas)
  }),
  operation(0x5b, 'JUMPDEST', { gas: 1, inputs: 0, outputs: 0 }, () => {}),
  operation(0xf3, 'RETURN', { gas: 0, inputs: 2, outputs: 0 }, (frame) => {
    frame.output = takeOutput(frame)
    frame.isRunning = false
  }),
  operation(0xfd, 'REVERT', { gas: 0, inputs: 2, outputs: 0, since: 'byzantium' }, (frame) => {
    frame.output = takeOutput(frame)
    frame.halt = REVERTED
    frame.isRunning = false
  }),
]

function jump(frame: ExecutionFrame, destination: bigint): void {
  const target = Number(destination)
  if (jumpDestinationsOf(frame.code)[target] !== 1) throw INVALID_JUMP
  frame.pc = target
}

function takeOutput(frame: ExecutionFrame): Uint8Array {
  const { stack } = frame
  const top = popWords(frame, 2)
  const size = toSize(stack[top]!)
  const offset = reserve(frame, stack[top + 1]!, size)
  return size === 0 ? EMPTY_BYTES : readMemory(frame, offset, size)
}
