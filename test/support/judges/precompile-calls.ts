// Calls of precompiles at the edges of their rules: sizes around limits, signatures that hold and that do not.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { bigintToBytes, concatBytes } from '../../../src/chain/bytes/hex.ts'
import type { Random } from '../differential/random.ts'

export type PrecompileCall = { readonly to: bigint; readonly data: Uint8Array }

/** Each function gives a new call of its kind. */
export function edgeCalls(random: Random, mostPairs: number): readonly (() => PrecompileCall)[] {
  const pairs = PAIRS.filter((count) => count <= mostPairs)
  return [
    () => ({ to: MODEXP, data: modexpInput(random) }),
    () => ({ to: MODEXP, data: modexpInput(random) }),
    () => ({ to: P256VERIFY, data: p256Input(random) }),
    () => ({ to: P256VERIFY, data: p256Input(random) }),
    // Points at infinity: their pairing is 1 whatever their number, and zeros are cheap as calldata.
    () => ({ to: BN254_PAIRING, data: new Uint8Array(random.pick(pairs) * BN254_PAIR_BYTES) }),
    () => ({ to: BLS_PAIRING, data: new Uint8Array(random.pick([0, 1, 2, 5]) * BLS_PAIR_BYTES) }),
    () => ({ to: BLAKE2F, data: blakeInput(random) }),
  ]
}

const MODEXP = 0x05n
const BN254_PAIRING = 0x08n
const BLAKE2F = 0x09n
const BLS_PAIRING = 0x0fn
const P256VERIFY = 0x100n

const BN254_PAIR_BYTES = 192
const BLS_PAIR_BYTES = 384
/** Limits: 300 since Karst, 427 since Jovian. */
const PAIRS = [0, 1, 2, 10, 300, 301, 427, 428]
/** The limit is 1,024 bytes since Karst; the price changes at 32. */
const LENGTHS = [0, 1, 2, 31, 32, 33, 64, 96, 256, 1024, 1025]

function modexpInput(random: Random): Uint8Array {
  const lengths = Array.from({ length: 3 }, () => random.pick(random.chance(0.6) ? LENGTHS.slice(0, 8) : LENGTHS))
  const numbers = lengths.map((length) => {
    const bytes = random.bytes(length)
    // Small numbers in long fields and even or odd moduli take different paths.
    return random.chance(0.3) ? bytes.fill(0, 0, Math.max(0, length - 1)) : bytes
  })
  return concatBytes(...lengths.map((length) => bigintToBytes(BigInt(length), 32)), ...numbers)
}

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

function p256Input(random: Random): Uint8Array {
  const message = random.bytes(32)
  const signature = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = [x!, y!].map((coordinate) => Buffer.from(coordinate, 'base64url'))
  const input = concatBytes(createHash('sha256').update(message).digest(), signature, ...point)
  if (random.chance(0.3)) input[random.below(input.length)]! ^= 1
  return random.chance(0.1) ? input.subarray(0, random.below(160)) : input
}

const BLAKE_BYTES = 213

function blakeInput(random: Random): Uint8Array {
  const input = random.bytes(random.chance(0.2) ? BLAKE_BYTES - 1 : BLAKE_BYTES)
  input.set(bigintToBytes(BigInt(random.below(5_000)), 4))
  input[BLAKE_BYTES - 1] = random.below(3)
  return input
}
