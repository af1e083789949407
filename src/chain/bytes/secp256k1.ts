// Signatures on secp256k1: the native library where its binary loads, else the same in JavaScript, some 25 times slower.
import { bytesToBigint, writeWord } from './hex.ts'
import { keccak256 } from './keccak.ts'
import { javascriptSecp256k1 } from './secp256k1-javascript.ts'
import { loadNativeSecp256k1 } from './secp256k1-native.ts'

export type Signature = { readonly r: bigint; readonly s: bigint; readonly yParity: number }

/** What both libraries do. Public keys are 64 bytes, without the format byte. */
export type SignatureLibrary = {
  /** Null where no key fits: r, s or the parity is out of range, or r is no point of the curve. */
  recoverPublicKey(hash: Uint8Array, rs: Uint8Array, yParity: number): Uint8Array | null
  /** Deterministic (RFC 6979) and with low s. */
  sign(hash: Uint8Array, privateKey: Uint8Array): { rs: Uint8Array; yParity: number }
  publicKeyOf(privateKey: Uint8Array): Uint8Array
}

const native = loadNativeSecp256k1()
const library: SignatureLibrary = 'signer' in native ? native.signer : javascriptSecp256k1

export const signatureBackend: 'native' | 'javascript' = 'signer' in native ? 'native' : 'javascript'

/** Calls `listener` once, at once, if the slow library is in use: the composition root logs it. */
export function onFallback(listener: (cause: unknown) => void): void {
  if ('cause' in native) listener(native.cause)
}

/** The signer, or null. Any s is accepted, as the ecrecover precompile does; see `isLowS` for EIP-2. */
export function recoverAddress(hash: Uint8Array, signature: Signature): bigint | null {
  const { r, s, yParity } = signature
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER || (yParity !== 0 && yParity !== 1)) return null
  const rs = new Uint8Array(64)
  writeWord(rs, 0, r)
  writeWord(rs, 32, s)
  const publicKey = library.recoverPublicKey(hash, rs, yParity)
  return publicKey === null ? null : addressOfPublicKey(publicKey)
}

/** EIP-2: of the two s that verify, transactions must carry the lower one. */
export function isLowS(s: bigint): boolean {
  return s <= HALF_ORDER
}

export function signHash(hash: Uint8Array, privateKey: Uint8Array): Signature {
  const { rs, yParity } = library.sign(hash, privateKey)
  return { r: bytesToBigint(rs, 0, 32), s: bytesToBigint(rs, 32, 64), yParity }
}

export function addressOfPrivateKey(privateKey: Uint8Array): bigint {
  return addressOfPublicKey(library.publicKeyOf(privateKey))
}

export function addressOfPublicKey(publicKey: Uint8Array): bigint {
  return bytesToBigint(keccak256(publicKey), 12, 32)
}

/** Order of the curve's group. */
export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HALF_ORDER = ORDER / 2n
