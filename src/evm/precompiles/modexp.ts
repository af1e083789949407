// 0x05 (EIP-198, since Byzantium): base^exponent % modulus for numbers of any length. The price changed with Berlin (EIP-2565) and with
// Osaka (EIP-7883), which also limits the lengths (EIP-7823).
import { bytesToBigint } from '../../chain/bytes/hex.ts'
import { integerToBytes, type Precompile, priced, readPadded } from './precompile.ts'

export const modexpByzantium: Precompile = priced({
  cost: (input) => {
    const { base, exponent, modulus } = lengthsOf(input)
    const complexity = complexityByzantium(greater(base, modulus))
    return Number((complexity * iterations(input, { base, exponent, perTailByte: 8n })) / 20n)
  },
  run: modexp,
})

export const modexpBerlin: Precompile = priced({
  cost: (input) => {
    const { base, exponent, modulus } = lengthsOf(input)
    const words = (greater(base, modulus) + 7n) / 8n
    const gas = (words * words * iterations(input, { base, exponent, perTailByte: 8n })) / 3n
    return Number(greater(gas, 200n))
  },
  run: modexp,
})

export const modexpOsaka: Precompile = priced({
  cost: (input) => {
    const { base, exponent, modulus } = lengthsOf(input)
    const longest = greater(base, modulus)
    const words = (longest + 7n) / 8n
    const complexity = longest <= 32n ? 16n : 2n * words * words
    return Number(greater(complexity * iterations(input, { base, exponent, perTailByte: 16n }), 500n))
  },
  run(input) {
    const { base, exponent, modulus } = lengthsOf(input)
    if (greater(greater(base, exponent), modulus) <= OSAKA_MAX_LENGTH) return modexp(input)
    return 'one or more of base/exponent/modulus length exceeded 1024 bytes'
  },
})

/**
 * `base ** exponent % modulus` by windows of four bits; the exponent is big-endian bytes. Montgomery form was measured and is never
 * faster on bigints.
 */
export function powerModulo(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  if (modulus <= 1n) return 0n
  const powers = [1n, base % modulus]
  // Computed only as far as needed: the exponents of RSA, 3 and 65537, use few of them.
  const powerOf = (digit: number): bigint => {
    for (let i = powers.length; i <= digit; i++) powers.push((powers[i - 1]! * powers[1]!) % modulus)
    return powers[digit]!
  }
  let result = 1n
  for (const byte of exponent) {
    for (const digit of [byte >> 4, byte & 15]) {
      if (result > 1n) for (let i = 0; i < 4; i++) result = (result * result) % modulus
      if (digit !== 0) result = (result * powerOf(digit)) % modulus
    }
  }
  return result
}

const OSAKA_MAX_LENGTH = 1024n
const HEADER_LENGTH = 96

type Lengths = { readonly base: bigint; readonly exponent: bigint; readonly modulus: bigint }

function lengthsOf(input: Uint8Array): Lengths {
  return {
    base: bytesToBigint(readPadded(input, 0, 32)),
    exponent: bytesToBigint(readPadded(input, 32, 32)),
    modulus: bytesToBigint(readPadded(input, 64, 32)),
  }
}

/** An estimate of the work of one multiplication, from the length of the longer factor. */
function complexityByzantium(length: bigint): bigint {
  const square = length * length
  if (length <= 64n) return square
  if (length <= 1024n) return square / 4n + 96n * length - 3_072n
  return square / 16n + 480n * length - 199_680n
}

/** An estimate of the iterations of square-and-multiply, from the first 32 bytes of the exponent and the length of the rest. */
function iterations(input: Uint8Array, of: { base: bigint; exponent: bigint; perTailByte: bigint }): bigint {
  const headLength = of.exponent < 32n ? Number(of.exponent) : 32
  const headOffset = HEADER_LENGTH + Number(of.base)
  const head = bytesToBigint(readPadded(input, headOffset, headLength))
  const headBits = head === 0n ? 0n : BigInt(head.toString(2).length - 1)
  const tail = of.exponent > 32n ? of.perTailByte * (of.exponent - 32n) : 0n
  return greater(tail + headBits, 1n)
}

// The gas cost has limited the lengths, except if the modulus has no bytes: then the other two can have any length.
function modexp(input: Uint8Array): Uint8Array {
  const lengths = lengthsOf(input)
  if (lengths.modulus === 0n) return new Uint8Array(0)
  const [base, exponent, modulus] = [Number(lengths.base), Number(lengths.exponent), Number(lengths.modulus)]
  const power = powerModulo(
    bytesToBigint(readPadded(input, HEADER_LENGTH, base)),
    readPadded(input, HEADER_LENGTH + base, exponent),
    bytesToBigint(readPadded(input, HEADER_LENGTH + base + exponent, modulus)),
  )
  return integerToBytes(power, modulus)
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
