// Transactions as they become known, each once: those that clients send through this server, those that the node's pool announces, and
// those that a flashblock brings first.
import { LRUCache } from 'lru-cache'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { RpcTransaction } from '../../chain/rpc/types.ts'

export type PoolAnnouncements = {
  /** `transaction` gives undefined where only the hash is known. */
  announce(hash: Hex, transaction: () => RpcTransaction | undefined): void
  on(listener: (announced: Announcement) => void): () => void
}

export type Announcement = { readonly hash: Hex; transaction(): RpcTransaction | undefined }

/** One that comes again later than so many others is announced again. */
const MAX_KNOWN = 50_000

export function createPoolAnnouncements(): PoolAnnouncements {
  const known = new LRUCache<Hex, true>({ max: MAX_KNOWN })
  const listeners = new Set<(announced: Announcement) => void>()
  return {
    announce(hash, transaction) {
      if (known.has(hash)) return
      known.set(hash, true)
      for (const listener of listeners) listener({ hash, transaction })
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
