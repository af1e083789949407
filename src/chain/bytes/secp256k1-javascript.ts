// The pure library, for platforms without a native binary.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { SignatureLibrary } from './secp256k1.ts'

export const javascriptSecp256k1: SignatureLibrary = {
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
