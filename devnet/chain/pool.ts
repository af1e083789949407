// The transaction pool, by sender and nonce. The block builder repeatedly takes the best-paying transaction that can run next.
import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { effectiveGasPrice, maxFeePerGasOf, maxPriorityFeePerGasOf } from '../../src/chain/rules/transaction-fees.ts'
import { type Admission, isSigned, problemOf, recoverSigned, type SignedRecovered } from './pool-admission.ts'

/** The pool's public interface. */
export type Pool = {
  /** `eth_sendRawTransaction`; refusals in the words of geth. Never throws. */
  add(raw: Uint8Array): PoolAnswer
  get(hash: Hex): RecoveredTransaction | null
  /** Transactions that could run next (pending) and those that wait for a lower nonce (queued), by sender, in the order of nonces. */
  content(): { readonly pending: SenderQueues; readonly queued: SenderQueues }
  status(): { readonly pending: number; readonly queued: number }
  /** The nonce that the sender's next transaction needs, after the open block and the pool. */
  nextNonce(address: bigint): bigint
}

export type PoolAnswer =
  | { readonly type: 'added'; readonly hash: Hex }
  | { readonly type: 'refused'; readonly message: string }

export type SenderQueues = ReadonlyMap<bigint, readonly RecoveredTransaction[]>

/** The result of a try to include a transaction: `wait` leaves it in the pool and skips its sender until the next selection. */
export type Verdict = 'included' | 'wait' | 'drop'

export type PoolDependencies = Admission & {
  /** Nonce of the sender after the open block. */
  readonly nonceOf: (address: bigint) => bigint
  /** Whether it is in the open block already. */
  readonly isPreconfirmed: (hash: Hex) => boolean
  readonly onAdded: (recovered: RecoveredTransaction) => void
  readonly limits: { readonly total: number; readonly perSender: number }
}

/** When the pool is full, the lowest offer is dropped, which may be the new one. */
export const POOL_LIMITS = { total: 10_000, perSender: 512 } as const
/** A replacement must offer this much more of both fees. */
const REPLACEMENT_PERCENT = 10n

export class TransactionPool implements Pool {
  readonly #deps: PoolDependencies
  readonly #byHash = new Map<Hex, Waiting>()
  readonly #bySender = new Map<bigint, Map<bigint, Waiting>>()
  #arrivals = 0

  constructor(deps: PoolDependencies) {
    this.#deps = deps
  }

  add(raw: Uint8Array): PoolAnswer {
    const recovered = recoverSigned(raw, this.#deps)
    if (typeof recovered === 'string') return refused(recovered)
    if (this.#byHash.has(recovered.hash) || this.#deps.isPreconfirmed(recovered.hash)) return refused('already known')
    const problem = problemOf(this.#deps, recovered) ?? this.#lackOfRoom(recovered)
    if (problem !== null) return refused(problem)
    this.#insert(recovered)
    this.#deps.onAdded(recovered)
    return { type: 'added', hash: recovered.hash }
  }

  /** Puts transactions back without an event; those that do not fit are dropped. */
  restore(transactions: readonly RecoveredTransaction[]): void {
    for (const recovered of transactions.filter(isSigned)) {
      const problem = problemOf(this.#deps, recovered) ?? this.#lackOfRoom(recovered)
      if (problem === null) this.#insert(recovered)
    }
  }

  get(hash: Hex): RecoveredTransaction | null {
    return this.#byHash.get(hash)?.recovered ?? null
  }

  /** Offers transactions best first, those of one sender in the order of nonces. Drops those that can never run any more. */
  select(baseFee: bigint, decide: (recovered: RecoveredTransaction) => Verdict): void {
    const candidates = Array.from(this.#bySender.keys(), (sender) => this.#candidateOf(sender, baseFee)).filter(
      (candidate) => candidate !== null,
    )
    candidates.sort(byWorth)
    for (let best = candidates.pop(); best !== undefined; best = candidates.pop()) {
      const { recovered } = best.waiting
      const verdict = decide(recovered)
      if (verdict !== 'wait') this.#remove(best.waiting)
      if (verdict !== 'included') continue
      const next = this.#candidateOf(recovered.from, baseFee)
      if (next !== null) candidates.splice(indexFor(candidates, next), 0, next)
    }
  }

  content(): { pending: SenderQueues; queued: SenderQueues } {
    const pending = new Map<bigint, RecoveredTransaction[]>()
    const queued = new Map<bigint, RecoveredTransaction[]>()
    for (const [sender, queue] of this.#bySender) {
      const nextNonce = this.nextNonce(sender)
      const ordered = [...queue.values()].map(({ recovered }) => recovered).sort(byNonce)
      const ready = ordered.filter(({ transaction }) => transaction.nonce < nextNonce)
      const others = ordered.filter(({ transaction }) => transaction.nonce >= nextNonce)
      if (ready.length > 0) pending.set(sender, ready)
      if (others.length > 0) queued.set(sender, others)
    }
    return { pending, queued }
  }

  status(): { pending: number; queued: number } {
    let pending = 0
    for (const sender of this.#bySender.keys()) pending += Number(this.nextNonce(sender) - this.#deps.nonceOf(sender))
    return { pending, queued: this.#byHash.size - pending }
  }

  nextNonce(address: bigint): bigint {
    const queue = this.#bySender.get(address)
    let nonce = this.#deps.nonceOf(address)
    while (queue?.has(nonce)) nonce++
    return nonce
  }

  /** The sender's next transaction, if there is one that pays enough. */
  #candidateOf(sender: bigint, baseFee: bigint): Candidate | null {
    const nonce = this.#deps.nonceOf(sender)
    const queue = this.#bySender.get(sender)
    if (queue === undefined) return null
    for (const [stale, waiting] of queue) if (stale < nonce) this.#remove(waiting)
    const waiting = queue.get(nonce)
    if (waiting === undefined) return null
    const tip = effectiveGasPrice(waiting.recovered.transaction, baseFee) - baseFee
    return tip < 0n ? null : { waiting, tip }
  }

  /** Why the pool has no room for it, or null; makes room if that helps. */
  #lackOfRoom({ transaction, from }: SignedRecovered): string | null {
    const queue = this.#bySender.get(from)
    const rival = queue?.get(transaction.nonce)
    if (rival !== undefined) {
      return outbids(transaction, rival.recovered.transaction) ? null : 'replacement transaction underpriced'
    }
    const { total, perSender } = this.#deps.limits
    if ((queue?.size ?? 0) >= perSender) return `account limit exceeded: ${perSender} waiting`
    if (this.#byHash.size < total) return null
    const cheapest = this.#cheapest()
    if (maxFeePerGasOf(transaction) <= maxFeePerGasOf(cheapest.recovered.transaction))
      return 'transaction underpriced: txpool is full'
    this.#remove(cheapest)
    return null
  }

  #insert(recovered: SignedRecovered): void {
    const { from, hash, transaction } = recovered
    const rival = this.#bySender.get(from)?.get(transaction.nonce)
    if (rival !== undefined) this.#byHash.delete(rival.recovered.hash)
    const waiting = { recovered, arrival: this.#arrivals++ }
    const queue = this.#bySender.get(from) ?? new Map<bigint, Waiting>()
    this.#bySender.set(from, queue.set(transaction.nonce, waiting))
    this.#byHash.set(hash, waiting)
  }

  #remove({ recovered: { hash, from, transaction } }: Waiting): void {
    this.#byHash.delete(hash)
    const queue = this.#bySender.get(from)
    queue?.delete(transaction.nonce)
    if (queue?.size === 0) this.#bySender.delete(from)
  }

  #cheapest(): Waiting {
    let cheapest: Waiting | undefined
    for (const waiting of this.#byHash.values()) {
      if (cheapest === undefined || feeOf(waiting) < feeOf(cheapest)) cheapest = waiting
    }
    return cheapest!
  }
}

type Waiting = { readonly recovered: SignedRecovered; readonly arrival: number }
type Candidate = { readonly waiting: Waiting; readonly tip: bigint }

function refused(message: string): PoolAnswer {
  return { type: 'refused', message }
}

function feeOf({ recovered }: Waiting) {
  return maxFeePerGasOf(recovered.transaction)
}

function outbids(newer: SignedRecovered['transaction'], older: SignedRecovered['transaction']): boolean {
  return [maxFeePerGasOf, maxPriorityFeePerGasOf].every(
    (fee) => fee(newer) * 100n >= fee(older) * (100n + REPLACEMENT_PERCENT),
  )
}

/** Worst first; of two that pay the same, the one that came earlier is worth more. */
function byWorth(a: Candidate, b: Candidate): number {
  if (a.tip !== b.tip) return a.tip < b.tip ? -1 : 1
  return b.waiting.arrival - a.waiting.arrival
}

/** The index at which `candidate` belongs among sorted candidates. */
function indexFor(candidates: readonly Candidate[], candidate: Candidate): number {
  let [low, high] = [0, candidates.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (byWorth(candidates[middle]!, candidate) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function byNonce(a: SignedRecovered, b: SignedRecovered) {
  return Number(a.transaction.nonce - b.transaction.nonce)
}
