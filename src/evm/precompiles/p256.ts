// 0x100: an ECDSA signature on P-256 (RIP-7212 on the OP Stack from Fjord to Jovian, EIP-7951 on Ethereum since Osaka and on the OP Stack since
// Karst, which costs twice as much and has the same results). The output is empty for an invalid signature; this is not a failure.
import { bytesToBigint, EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import { p256 } from './curves.ts'
import { powerModulo } from './modexp.ts'
import { booleanWord, integerToBytes, type Precompile, priced } from './precompile.ts'

export const p256VerifyRip7212: Precompile = priced({ cost: () => 3450, run: p256Verify })
export const p256VerifyOsaka: Precompile = priced({ cost: () => 6900, run: p256Verify })

const INPUT_LENGTH = 160
const MODULUS = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const ORDER_MINUS_TWO = integerToBytes(ORDER - 2n, 32)
const GENERATOR = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
}

function p256Verify(input: Uint8Array): Uint8Array {
  if (input.length !== INPUT_LENGTH) return EMPTY_BYTES
  const [hash, r, s, x, y] = [0, 32, 64, 96, 128].map((at) => bytesToBigint(input, at, at + 32)) as Words
  const isValid = isKey({ x, y }) && isSignature({ hash, r, s, key: { x, y } })
  return isValid ? booleanWord(true) : EMPTY_BYTES
}

type Words = [hash: bigint, r: bigint, s: bigint, x: bigint, y: bigint]
type Key = { readonly x: bigint; readonly y: bigint }

/** The curve has a prime order, so every point on it is valid except infinity. */
function isKey({ x, y }: Key): boolean {
  return x < MODULUS && y < MODULUS && (x !== 0n || y !== 0n) && p256().isOnCurve({ x, y })
}

function isSignature({ hash, r, s, key }: { hash: bigint; r: bigint; s: bigint; key: Key }): boolean {
  if (r === 0n || r >= ORDER || s === 0n || s >= ORDER) return false
  const inverse = powerModulo(s, ORDER_MINUS_TWO, ORDER)
  const point = p256().sumOfProducts([GENERATOR, key], [(hash * inverse) % ORDER, (r * inverse) % ORDER])
  // At infinity x is zero, and r is never zero.
  return point.x % ORDER === r
}
