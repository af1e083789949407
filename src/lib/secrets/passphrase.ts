// Salted slow hashes of passphrases (scrypt), off the event loop.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const SALT_BYTES = 16
const HASH_BYTES = 32
const COST = { N: 2 ** 14, r: 8, p: 1 }

/** Salt and hash in one value, to be stored as it is. */
export async function passphraseHash(passphrase: string): Promise<Uint8Array> {
  const salt = randomBytes(SALT_BYTES)
  return Buffer.concat([salt, await slowHash(passphrase, salt)])
}

export async function passphraseMatches(passphrase: string, stored: Uint8Array): Promise<boolean> {
  return timingSafeEqual(await slowHash(passphrase, stored.subarray(0, SALT_BYTES)), stored.subarray(SALT_BYTES))
}

function slowHash(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, HASH_BYTES, COST, (error, hash) =>
      error ? reject(error) : resolve(hash),
    )
  })
}
