// The prebuilt native library. Its entry point falls back to a slow one of its own in silence, so the binding is asked for by name.
import { createRequire } from 'node:module'
import type { SignatureLibrary } from './secp256k1.ts'

type Binding = {
  ecdsaRecover(rs: Uint8Array, yParity: number, hash: Uint8Array, compressed: boolean): Uint8Array
  ecdsaSign(hash: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number }
  publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array
}

export function loadNativeSecp256k1(): { signer: SignatureLibrary } | { cause: unknown } {
  try {
    return { signer: toLibrary(createRequire(import.meta.url)('secp256k1/bindings.js') as Binding) }
  } catch (cause) {
    return { cause }
  }
}

function toLibrary(binding: Binding): SignatureLibrary {
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
