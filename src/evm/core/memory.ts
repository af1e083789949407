// The memory of an execution frame. It grows by words, and the gas is charged before it grows.
import { charge, type ExecutionFrame } from './execution-frame.ts'
import { memoryGas } from './gas.ts'
import { MEMORY_OVERFLOW, OUT_OF_GAS } from './halt.ts'
import { wordCount } from './word.ts'

/** The size as a number. Halts if no gas could pay for it. */
export function toSize(size: bigint): number {
  const bytes = Number(size)
  if (bytes > MEMORY_LIMIT) throw haltBeyondLimit(bytes)
  return bytes
}

/** Makes `size` bytes at `offset` usable and returns the offset as a number. A size of zero costs nothing. */
export function reserve(frame: ExecutionFrame, offset: bigint, size: number): number {
  if (size === 0) return 0
  const start = Number(offset)
  const end = start + size
  if (end > frame.memorySize) grow(frame, end)
  return start
}

/** Copies `size` bytes of `source` from `from` on. After the end of `source` come zeros. */
export function copyToMemory(
  frame: ExecutionFrame,
  target: number,
  source: Uint8Array,
  from: bigint,
  size: number,
): void {
  if (size === 0) return
  const start = Math.min(Number(from), source.length)
  const copied = Math.min(size, source.length - start)
  const { memory } = frame
  if (copied > 0) memory.set(source.subarray(start, start + copied), target)
  if (copied < size) memory.fill(0, target + copied, target + size)
}

export function readMemory(frame: ExecutionFrame, offset: number, size: number): Uint8Array {
  return frame.memory.slice(offset, offset + size)
}

/** Bytes. More would cost 2^45 gas. */
const MEMORY_LIMIT = 2 ** 32

function haltBeyondLimit(bytes: number) {
  return bytes > 2 ** 64 ? MEMORY_OVERFLOW : OUT_OF_GAS
}

function grow(frame: ExecutionFrame, end: number): void {
  if (end > MEMORY_LIMIT) throw haltBeyondLimit(end)
  const words = wordCount(end)
  charge(frame, memoryGas(words) - memoryGas(frame.memorySize / 32))
  const size = words * 32
  if (size > frame.memory.length) {
    const memory = new Uint8Array(Math.max(size, frame.memory.length * 2))
    memory.set(frame.memory.subarray(0, frame.memorySize))
    frame.memory = memory
  }
  frame.memorySize = size
}
