// Signatures on secp256k1. The native library is used where its binary loads; elsewhere a JavaScript library, which is about 25 times slower.
import { createRequire } from 'node:module'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToBigint, writeWord } from './hex.ts'
import { keccak256 } from './keccak.ts'

export type Signature = { readonly r: bigint; readonly s: bigint; readonly yParity: number }

/** What both libraries do. Public keys are 64 bytes, without the format byte. */
export type Secp256k1Signer = {
  /** Null if no key fits: r, s or the parity is out of range, or r is not on the curve. */
  recoverPublicKey(hash: Uint8Array, rs: Uint8Array, yParity: number): Uint8Array | null
  /** Deterministic (RFC 6979) and with low s. */
  sign(hash: Uint8Array, privateKey: Uint8Array): { rs: Uint8Array; yParity: number }
  publicKeyOf(privateKey: Uint8Array): Uint8Array
}

export const javascriptSecp256k1: Secp256k1Signer = {
  recoverPublicKey(hash, rs, yParity) {
    try {
      const signature = secp256k1.Signature.fromBytes(rs, 'compact').addRecoveryBit(yParity)
      return signature.recoverPublicKey(hash).toBytes(false).subarray(1)
    } catch {
      return null
    }
  },
  sign(hash, privateKey) {
    const recovered = secp256k1.sign(hash, privateKey, { prehash: false, format: 'recovered' })
    return { rs: recovered.subarray(1), yParity: recovered[0]! }
  },
  publicKeyOf: (privateKey) => secp256k1.getPublicKey(privateKey, false).subarray(1),
}

/** The package's entry point silently falls back to slow code of its own, so the binding is loaded by its path. */
export function loadNativeSecp256k1(): { signer: Secp256k1Signer } | { cause: unknown } {
  try {
    return { signer: nativeSigner(createRequire(import.meta.url)('secp256k1/bindings.js') as NativeBinding) }
  } catch (cause) {
    return { cause }
  }
}

const native = loadNativeSecp256k1()
const signer: Secp256k1Signer = 'signer' in native ? native.signer : javascriptSecp256k1

export const signatureBackend: 'native' | 'javascript' = 'signer' in native ? 'native' : 'javascript'

/** Calls `listener` immediately if the slow library is in use, so that the composition root can log it. */
export function onFallback(listener: (cause: unknown) => void): void {
  if ('cause' in native) listener(native.cause)
}

/** The address of the signer, or null. Any s is accepted, as in the ecrecover precompile; see `isLowS` for EIP-2. */
export function recoverAddress(hash: Uint8Array, signature: Signature): bigint | null {
  const { r, s, yParity } = signature
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER || (yParity !== 0 && yParity !== 1)) return null
  const rs = new Uint8Array(64)
  writeWord(rs, 0, r)
  writeWord(rs, 32, s)
  const publicKey = signer.recoverPublicKey(hash, rs, yParity)
  return publicKey === null ? null : addressOfPublicKey(publicKey)
}

/** EIP-2: of the two values of s that verify, a transaction must carry the lower one. */
export function isLowS(s: bigint): boolean {
  return s <= HALF_ORDER
}

export function signHash(hash: Uint8Array, privateKey: Uint8Array): Signature {
  const { rs, yParity } = signer.sign(hash, privateKey)
  return { r: bytesToBigint(rs, 0, 32), s: bytesToBigint(rs, 32, 64), yParity }
}

export function addressOfPrivateKey(privateKey: Uint8Array): bigint {
  return addressOfPublicKey(signer.publicKeyOf(privateKey))
}

export function addressOfPublicKey(publicKey: Uint8Array): bigint {
  return bytesToBigint(keccak256(publicKey), 12, 32)
}

/** Order of the curve's group. */
export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HALF_ORDER = ORDER / 2n

type NativeBinding = {
  ecdsaRecover(rs: Uint8Array, yParity: number, hash: Uint8Array, compressed: boolean): Uint8Array
  ecdsaSign(hash: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number }
  publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array
}

function nativeSigner(binding: NativeBinding): Secp256k1Signer {
  return {
    recoverPublicKey(hash, rs, yParity) {
      try {
        return binding.ecdsaRecover(rs, yParity, hash, false).subarray(1)
      } catch {
        return null
      }
    },
    sign(hash, privateKey) {
      const { signature, recid } = binding.ecdsaSign(hash, privateKey)
      return { rs: signature, yParity: recid }
    },
    publicKeyOf: (privateKey) => binding.publicKeyCreate(privateKey, false).subarray(1),
  }
}
