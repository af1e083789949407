// 256-bit words as bigints, always in [0, 2^256).

export const WORD_MODULUS = 1n << 256n
export const MAX_WORD = WORD_MODULUS - 1n
export const ADDRESS_MASK = (1n << 160n) - 1n

const SIGN_BIT = 1n << 255n

export function toSigned(word: bigint): bigint {
  return word >= SIGN_BIT ? word - WORD_MODULUS : word
}

export function fromSigned(value: bigint): bigint {
  return value < 0n ? value + WORD_MODULUS : value
}

export function wordCount(bytes: number): number {
  return Math.ceil(bytes / 32)
}

export function smaller(a: bigint, b: bigint): bigint {
  return b < a ? b : a
}

export function larger(a: bigint, b: bigint): bigint {
  return b > a ? b : a
}
