// Integers as bytes that sort like the numbers: one byte for sign and length, then the big-endian magnitude (complemented if negative).
// A third of the size of 32-byte words, and exact: sums may exceed 2^256 or be negative.
const ZERO = 0x80

export const AMOUNT_ZERO = Uint8Array.of(ZERO)

export function encodeAmount(value: bigint): Uint8Array {
  if (value === 0n) return AMOUNT_ZERO
  const isNegative = value < 0n
  const digits = (isNegative ? -value : value).toString(16)
  const length = (digits.length + 1) >> 1
  if (length >= ZERO) throw new RangeError(`${value} has more digits than an amount can hold`)
  const prefix = isNegative ? ZERO - length : ZERO + length
  const bytes = Buffer.from(`${prefix.toString(16).padStart(2, '0')}${digits.length % 2 ? '0' : ''}${digits}`, 'hex')
  if (isNegative) complement(bytes)
  return bytes
}

/** From hex digits without `0x`, as they leave SQL. */
export function decodeAmount(digits: string): bigint {
  const prefix = Number.parseInt(digits.slice(0, 2), 16)
  if (prefix === ZERO) return 0n
  if (prefix > ZERO) return BigInt(`0x${digits.slice(2)}`)
  const bytes = Buffer.from(digits, 'hex')
  complement(bytes)
  return -BigInt(`0x${bytes.toString('hex', 1)}`)
}

function complement(bytes: Uint8Array): void {
  for (let i = 1; i < bytes.length; i++) bytes[i] = ~bytes[i]!
}
