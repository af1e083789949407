// Transactions that wait to be included: those of the node's pool, and those that were sent through us or asked for by hash, which a
// node shows by hash even where it hides its pool. Each has a number in the order in which it was first seen, and keeps it after it
// left, so that a walk through a list neither repeats nor omits one that is included meanwhile. Bounded.
import type { Hex } from '../chain/bytes/hex.ts'
import type { PoolTransaction } from '../chain/rpc/pool-transaction.ts'

export type WaitingTransaction = PoolTransaction & {
  /** Grows with every transaction, from 1. */
  readonly number: number
  readonly seenMs: number
}

/** What the node said about its pool. */
export type PoolReading =
  | { readonly type: 'content'; readonly transactions: readonly PoolTransaction[] }
  /** It shows its pool not at all, or not whole. */
  | { readonly type: 'hidden'; readonly reason: string }

export type TransactionPool = {
  read(reading: PoolReading, atMs: number): void
  /** Sent through us, or found by its hash. */
  add(transaction: PoolTransaction, atMs: number): void
  /** They are in a block, or the node does not know them any more. */
  remove(hashes: readonly Hex[]): void
  /** Those that only their hash confirms: the node must be asked whether they still wait. */
  addedAlone(): readonly WaitingTransaction[]
  /** Those that were not yet looked for in this version of the index. */
  uncheckedIn(version: string): readonly Hex[]
  checked(version: string, hashes: readonly Hex[]): void
  get(hash: Hex): WaitingTransaction | undefined
  /** Newest first. */
  waiting(): readonly WaitingTransaction[]
  /** First seen before the one with this number, newest first, whether they still wait or not. */
  seenBefore(number: number): readonly WaitingTransaction[]
  /** Why transactions may be missing here; undefined while the node shows its whole pool. */
  missing(): string | undefined
}

const MOST_WAITING = 5_000
const MOST_LEFT = 10_000

export function createTransactionPool(): TransactionPool {
  const waiting = new Map<Hex, WaitingTransaction>()
  const alone = new Set<Hex>()
  const left = new Map<Hex, WaitingTransaction>()
  /** Looked for in this version of the index, and not found. */
  let checked = { version: '', hashes: new Set<Hex>() }
  let last = 0
  let missing: string | undefined = 'the node has not shown its pool yet'
  /** Newest first; undefined after a change. */
  let listed: readonly WaitingTransaction[] | undefined

  const remove = (hash: Hex): void => {
    const known = waiting.get(hash)
    if (known === undefined) return
    waiting.delete(hash)
    alone.delete(hash)
    left.set(hash, known)
    if (left.size > MOST_LEFT) left.delete(left.keys().next().value!)
    listed = undefined
  }
  const add = (transaction: PoolTransaction, atMs: number): void => {
    const known = waiting.get(transaction.hash)
    if (known !== undefined) {
      if (known.isQueued !== transaction.isQueued) waiting.set(known.hash, { ...known, ...transaction })
      listed = undefined
      return
    }
    // One that a reorg or a replacement brought back has its number still.
    const before = left.get(transaction.hash)
    left.delete(transaction.hash)
    waiting.set(transaction.hash, before ?? { ...transaction, number: ++last, seenMs: atMs })
    if (waiting.size > MOST_WAITING) remove(waiting.keys().next().value!)
    listed = undefined
  }

  return {
    read(reading, atMs) {
      missing = reading.type === 'hidden' ? reading.reason : undefined
      if (reading.type === 'hidden') {
        // What was there when it was last shown may be gone by now: only a hash can confirm it.
        for (const hash of waiting.keys()) alone.add(hash)
        return
      }
      const shown = new Set(reading.transactions.map(({ hash }) => hash))
      for (const transaction of reading.transactions) {
        add(transaction, atMs)
        alone.delete(transaction.hash)
      }
      for (const hash of [...waiting.keys()]) if (!shown.has(hash) && !alone.has(hash)) remove(hash)
    },
    add(transaction, atMs) {
      if (waiting.has(transaction.hash)) return
      add(transaction, atMs)
      alone.add(transaction.hash)
    },
    remove: (hashes) => hashes.forEach(remove),
    addedAlone: () => [...alone].map((hash) => waiting.get(hash)!),
    uncheckedIn: (version) =>
      [...waiting.keys()].filter((hash) => checked.version !== version || !checked.hashes.has(hash)),
    checked(version, hashes) {
      if (checked.version !== version) checked = { version, hashes: new Set() }
      for (const hash of hashes) checked.hashes.add(hash)
    },
    get: (hash) => waiting.get(hash),
    waiting: () => (listed ??= newestFirst([...waiting.values()])),
    seenBefore: (number) => newestFirst([...waiting.values(), ...left.values()].filter((each) => each.number < number)),
    missing: () => missing,
  }
}

function newestFirst(transactions: WaitingTransaction[]): readonly WaitingTransaction[] {
  return transactions.sort((a, b) => b.number - a.number)
}
