// Recursive length prefix. The encoder writes from the end towards the start of one scratch buffer, so it knows the length of a list
// when it writes the prefix and measures nothing twice. The decoder is strict: each value has exactly one encoding.
import { bigintToMinimalBytes, EMPTY_BYTES } from './hex.ts'

/** The input of the encoder. Integers lose their leading zeros; `{ rlp }` is already encoded and is copied unchanged. */
export type RlpInput = Uint8Array | bigint | number | { readonly rlp: Uint8Array } | readonly RlpInput[]

/** The output of the decoder. Byte strings are views of the input. */
export type RlpItem = Uint8Array | RlpItem[]

export function encodeRlp(input: RlpInput): Uint8Array {
  start = scratch.length
  write(input)
  return scratch.slice(start)
}

/** `type || rlp(input)`, the envelope of EIP-2718. */
export function encodeTyped(type: number, input: RlpInput): Uint8Array {
  start = scratch.length
  write(input)
  writeByte(type)
  return scratch.slice(start)
}

export function decodeRlp(bytes: Uint8Array): RlpItem {
  const [item, next] = readItem(bytes, 0, bytes.length, 0)
  if (next !== bytes.length) throw new RlpError(`${bytes.length - next} bytes follow the item`)
  return item
}

export function decodeRlpList(bytes: Uint8Array): RlpItem[] {
  const item = decodeRlp(bytes)
  if (item instanceof Uint8Array) throw new RlpError('expected a list, got a byte string')
  return item
}

/** The encoded items that follow each other in `bytes`, each as a view. A chain file is such a sequence of blocks. */
export function splitRlp(bytes: Uint8Array): Uint8Array[] {
  const items: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const { end } = readPrefix(bytes, at, bytes.length)
    items.push(bytes.subarray(at, end))
    at = end
  }
  return items
}

/** The encoded items of one list, each as a view. */
export function splitRlpList(bytes: Uint8Array): Uint8Array[] {
  const { isList, from, end } = readPrefix(bytes, 0, bytes.length)
  if (!isList) throw new RlpError('expected a list, got a byte string')
  if (end !== bytes.length) throw new RlpError(`${bytes.length - end} bytes follow the list`)
  return splitRlp(bytes.subarray(from))
}

export class RlpError extends Error {
  override readonly name = 'RlpError'
  constructor(problem: string) {
    super(`RLP: ${problem}`)
  }
}

const MAX_DEPTH = 64
const MAX_SAFE_INTEGER = BigInt(Number.MAX_SAFE_INTEGER)
const MAX_UINT256 = (1n << 256n) - 1n

let scratch = new Uint8Array(4096)
/** Offset in the scratch buffer of the first byte written so far. */
let start = 0

function write(input: RlpInput): void {
  if (input instanceof Uint8Array) writeBytes(input)
  else if (typeof input === 'bigint') writeBigint(input)
  else if (typeof input === 'number') writeNumber(input)
  else if (Array.isArray(input)) writeList(input)
  else prepend((input as { rlp: Uint8Array }).rlp)
}

function writeList(items: readonly RlpInput[]): void {
  const before = written()
  for (let i = items.length - 1; i >= 0; i--) write(items[i]!)
  writePrefix(written() - before, 0xc0)
}

function writeBytes(bytes: Uint8Array): void {
  prepend(bytes)
  if (bytes.length !== 1 || bytes[0]! >= 0x80) writePrefix(bytes.length, 0x80)
}

function writeBigint(value: bigint): void {
  if (value <= MAX_SAFE_INTEGER) {
    writeNumber(Number(value))
    return
  }
  if (value > MAX_UINT256) throw new RlpError(`${value} is longer than 256 bits`)
  writeBytes(bigintToMinimalBytes(value))
}

function writeNumber(value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RlpError(`${value} is not an unsigned integer`)
  const before = written()
  writeDigits(value)
  const length = written() - before
  if (length !== 1 || scratch[start]! >= 0x80) writePrefix(length, 0x80)
}

function writePrefix(length: number, kind: 0x80 | 0xc0): void {
  if (length < 56) {
    writeByte(kind + length)
    return
  }
  const before = written()
  writeDigits(length)
  writeByte(kind + 55 + written() - before)
}

function writeDigits(value: number): void {
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) writeByte(rest % 256)
}

function writeByte(byte: number): void {
  reserve(1)
  scratch[--start] = byte
}

function written() {
  return scratch.length - start
}

function prepend(bytes: Uint8Array): void {
  reserve(bytes.length)
  start -= bytes.length
  scratch.set(bytes, start)
}

function reserve(length: number): void {
  if (length <= start) return
  const used = written()
  const larger = new Uint8Array(2 * (used + length))
  larger.set(scratch.subarray(start), larger.length - used)
  scratch = larger
  start = larger.length - used
}

function readItem(bytes: Uint8Array, at: number, limit: number, depth: number): [RlpItem, number] {
  const { isList, from, end } = readPrefix(bytes, at, limit)
  if (!isList) return [from === end ? EMPTY_BYTES : bytes.subarray(from, end), end]
  if (depth === MAX_DEPTH) throw new RlpError(`lists nested deeper than ${MAX_DEPTH}`)
  const items: RlpItem[] = []
  for (let next = from; next < end; ) {
    const [item, after] = readItem(bytes, next, end, depth + 1)
    items.push(item)
    next = after
  }
  return [items, end]
}

function readPrefix(bytes: Uint8Array, at: number, limit: number): { isList: boolean; from: number; end: number } {
  const prefix = bytes[at]
  if (prefix === undefined || at >= limit) throw new RlpError('input ends where an item should begin')
  if (prefix < 0x80) return { isList: false, from: at, end: at + 1 }
  const isList = prefix >= 0xc0
  const short = prefix - (isList ? 0xc0 : 0x80)
  const from = short < 56 ? at + 1 : at + 1 + (short - 55)
  const length = short < 56 ? short : readLength(bytes, at + 1, from, limit)
  const end = from + length
  if (end > limit) throw new RlpError(`item of ${length} bytes is longer than what contains it`)
  if (prefix === 0x81 && bytes[from]! < 0x80) throw new RlpError('single byte below 0x80 has a prefix')
  return { isList, from, end }
}

function readLength(bytes: Uint8Array, from: number, to: number, limit: number): number {
  if (to > limit) throw new RlpError('length is cut off')
  if (bytes[from] === 0) throw new RlpError('length has a leading zero')
  let length = 0
  for (let i = from; i < to; i++) length = length * 256 + bytes[i]!
  if (length < 56) throw new RlpError('long form for a short length')
  return length
}
