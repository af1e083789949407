// 256-bit words as bigints, always kept in [0, 2^256).

export const WORD_MODULUS = 1n << 256n
export const MAX_WORD = WORD_MODULUS - 1n
export const ADDRESS_MASK = (1n << 160n) - 1n

const SIGN_BIT = 1n << 255n

export const toSigned = (word: bigint): bigint => (word >= SIGN_BIT ? word - WORD_MODULUS : word)

export const fromSigned = (value: bigint): bigint => (value < 0n ? value + WORD_MODULUS : value)

export const wordCount = (bytes: number): number => Math.ceil(bytes / 32)

export const smaller = (a: bigint, b: bigint): bigint => (b < a ? b : a)

export const larger = (a: bigint, b: bigint): bigint => (b > a ? b : a)
