// Encryption of small secrets at rest: AES-256-GCM under a key derived from one password-like string.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export type SecretBox = {
  seal: (secret: string, label: string) => Uint8Array
  /** Undefined where the box was sealed with another key or label, or is damaged. */
  open: (sealed: Uint8Array, label: string) => string | undefined
}

/** `label` binds a box to its owner, so that a sealed secret moved to another row does not open. */
export function createSecretBox(keysSecret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', keysSecret, 'firstlight', 'api-key-secrets', 32))
  return {
    seal: (secret, label) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label))
      return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open: (sealed, label) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
      const body = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(label))
        .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
      try {
        return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return undefined
      }
    },
  }
}
