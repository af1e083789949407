// Transactions that clients sent through this server a moment ago.
import { LRUCache } from 'lru-cache'
import type { Hex } from '../../chain/bytes/hex.ts'

export type SentTransactions = {
  /** The canonical head when a client sent it through this server; undefined before the first head. */
  readonly headAtSending: LRUCache<Hex, { readonly head: Hex | undefined }>
  /** Requests for a receipt that wait for a preconfirmation. */
  waiting: number
}

const MAX_SENT = 20_000
const SENT_TTL_MS = 60_000

export function createSentTransactions(): SentTransactions {
  return { headAtSending: new LRUCache({ max: MAX_SENT, ttl: SENT_TTL_MS }), waiting: 0 }
}
