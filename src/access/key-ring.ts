// Issues API keys and finds them. A process reads a key from the store again after REFRESH_MS, so a revoked key is refused everywhere within
// a second.
import { createSecretKey, hash, type KeyObject, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../lib/clock.ts'
import { passphraseHash, passphraseMatches } from '../lib/secrets/passphrase.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { KeyRow, KeyStore } from '../store/keys/keys.ts'

const REFRESH_MS = 500
const MAX_CACHED_KEYS = 10_000
const SECRET_BYTES = 16

export type IssuedKey = { key: string; secret: string; passphrase: string; name: string }
export type ListedKey = { key: string; name: string; createdMs: number; revokedMs: number | null }
export type KnownKey = {
  id: string
  hmacKey: KeyObject
  passphraseIs: (passphrase: string) => Promise<boolean> | boolean
}

export type KeyRing = {
  /** The secret is shown in this answer and never again. */
  issue: (key: { name: string; passphrase: string }) => Promise<IssuedKey>
  list: () => Promise<ListedKey[]>
  revoke: (id: string) => Promise<boolean>
  /** Undefined for a key that does not exist or was revoked. */
  find: (id: string) => Promise<KnownKey | undefined> | KnownKey | undefined
  /** Throws WrongKeysSecret when the stored secrets were encrypted with another KEYS_SECRET. */
  proveSeal: () => Promise<void>
}

/** A stored secret cannot be decrypted: it was encrypted with another KEYS_SECRET. */
export class WrongKeysSecret extends Error {
  override readonly name = 'WrongKeysSecret'
}

/** `key` is undefined if the store has no such key; that is cached too. */
type CachedKey = { key: KnownKey | undefined; readMs: number; reading: Promise<KnownKey | undefined> | undefined }

export function createKeyRing(options: {
  store: KeyStore
  box: SecretBox
  nowMs: () => number
  /** Measures how old a cached key is, and must not jump: a revoked key would live on. */
  elapsedMs?: () => number
}): KeyRing {
  const { store, box, nowMs, elapsedMs = monotonicMs } = options
  const cachedKeys = new LRUCache<string, CachedKey>({ max: MAX_CACHED_KEYS })

  const read = async (id: string, before: KnownKey | undefined): Promise<KnownKey | undefined> => {
    const row = await store.find(id)
    if (!row || row.revokedMs !== null) return undefined
    // Keys change only by revocation, so a decrypted key stays valid.
    return before ?? knownKey(row, box)
  }

  const refresh = (id: string, entry: CachedKey): Promise<KnownKey | undefined> => {
    // The age counts from the start of the read: a slow read returns an old state.
    const startedMs = elapsedMs()
    entry.reading ??= read(id, entry.key)
      .then((key) => {
        entry.key = key
        entry.readMs = startedMs
        return key
      })
      .finally(() => {
        entry.reading = undefined
      })
    return entry.reading
  }

  return {
    issue: async ({ name, passphrase }) => {
      const key = randomUUID()
      const secret = randomBytes(SECRET_BYTES).toString('hex').toUpperCase()
      await store.add({
        id: key,
        name,
        secretBox: box.seal(secret, key),
        passphraseHash: await passphraseHash(passphrase),
        createdMs: nowMs(),
        revokedMs: null,
      })
      return { key, secret, passphrase, name }
    },
    list: async () =>
      (await store.list()).map(({ id, name, createdMs, revokedMs }) => ({ key: id, name, createdMs, revokedMs })),
    revoke: async (id) => {
      const revoked = await store.revoke(id, nowMs())
      cachedKeys.delete(id)
      return revoked
    },
    find: (id) => {
      const known = cachedKeys.get(id)
      if (known && elapsedMs() - known.readMs < REFRESH_MS) return known.key
      const entry = known ?? { key: undefined, readMs: Number.NEGATIVE_INFINITY, reading: undefined }
      if (!known) cachedKeys.set(id, entry)
      return refresh(id, entry)
    },
    proveSeal: async () => {
      const [row] = await store.list()
      if (row) knownKey(row, box)
    },
  }
}

function knownKey(row: KeyRow, box: SecretBox): KnownKey {
  const secret = box.open(row.secretBox, row.id)
  if (secret === undefined) {
    throw new WrongKeysSecret(
      `the secret of key ${row.id} does not open: KEYS_SECRET is not the one it was issued under`,
    )
  }
  return { id: row.id, hmacKey: createSecretKey(secret, 'utf8'), passphraseIs: passphraseCheck(row.passphraseHash) }
}

/** The slow hash is computed until it has matched once; after that a fast digest with a random salt is compared. */
function passphraseCheck(stored: Uint8Array): KnownKey['passphraseIs'] {
  const salt = randomBytes(16).toString('hex')
  const fast = (passphrase: string) => hash('sha256', salt + passphrase, 'buffer')
  let accepted: Buffer | undefined
  return (passphrase) => {
    const digest = fast(passphrase)
    if (accepted && timingSafeEqual(accepted, digest)) return true
    return passphraseMatches(passphrase, stored).then((matches) => {
      if (matches) accepted = digest
      return matches
    })
  }
}
