// The feed as it goes out again: every flashblock once, in the order of its payload, whatever order it came in. What waits for one before
// it goes out when the next payload begins, and the hub announces the gap. Receipts and balances that the upstream leaves out are filled
// in from what was executed, where that is known soon enough.

import { addressToHex, toQuantity } from '../chain/bytes/hex.ts'
import type { Flashblock } from '../chain/codec/flashblock.ts'
import type { FlashblockMessage } from '../contract/flashblock.ts'
import type { PendingState } from '../pending/executor.ts'
import type { PendingChain } from '../pending/pending-chain.ts'
import { receiptToFeed } from './outgoing-flashblock.ts'

export type Incoming = {
  readonly flashblock: Flashblock
  readonly message: FlashblockMessage
  readonly receivedMs: number
}

export type OutgoingFeed = {
  /** `chain` has taken it already. */
  take(incoming: Incoming, chain: PendingChain): void
  /** State that may fill what is missing; null where none will come. */
  executed(states: readonly PendingState[] | null): void
  /** Sends what has waited for its receipts for too long. */
  tick(nowMs: number): void
}

export type OutgoingFeedOptions = {
  readonly send: (incoming: Incoming) => void
  /** How long a flashblock without receipts is held back for them. */
  readonly patienceMs?: number
}

type Payload = {
  readonly id: string
  /** Index of the next one to go out. */
  next: number
  /** Transactions in those that went out. */
  transactions: number
  readonly waiting: Map<number, Incoming[]>
}

type Due = Incoming & { readonly firstTransaction: number }

export function createOutgoingFeed({ send, patienceMs = 500 }: OutgoingFeedOptions): OutgoingFeed {
  const payloads = new Map<string, Payload>()
  let due: Due[] = []

  const release = (payload: Payload, incoming: Incoming): void => {
    due.push({ ...incoming, firstTransaction: payload.transactions })
    payload.next = incoming.flashblock.index + 1
    payload.transactions += incoming.flashblock.transactions.length
  }

  const payloadOf = ({ payloadId }: Flashblock): Payload => {
    const known = payloads.get(payloadId)
    if (known !== undefined) return known
    const payload: Payload = { id: payloadId, next: 0, transactions: 0, waiting: new Map() }
    payloads.set(payloadId, payload)
    for (const id of [...payloads.keys()].slice(0, -MAX_PAYLOADS)) payloads.delete(id)
    return payload
  }

  /** What follows without a gap and is what the chain believes. */
  const releaseGood = (payload: Payload, chain: PendingChain): void => {
    const versions = chain.sequences.find(({ payloadId }) => payloadId === payload.id)?.versions
    for (let next = payload.waiting.get(payload.next); next !== undefined; next = payload.waiting.get(payload.next)) {
      const version = versions?.[payload.next]
      // The chain does not keep what is canonical already; there the first story is told.
      const told =
        versions === undefined ? next[0] : next.find(({ flashblock }) => flashblock.totals.blockHash === version?.hash)
      if (told === undefined) return
      payload.waiting.delete(payload.next)
      release(payload, told)
    }
  }

  /** Nothing will come in between any more. */
  const releaseRest = (payload: Payload): void => {
    for (const [, [first]] of [...payload.waiting].toSorted(([one], [other]) => one - other)) release(payload, first!)
    payload.waiting.clear()
  }

  const flush = (): void => {
    while (due[0] !== undefined && isComplete(due[0])) send(due.shift()!)
  }

  return {
    take(incoming, chain) {
      const payload = payloadOf(incoming.flashblock)
      const { index } = incoming.flashblock
      if (index < payload.next || index > payload.next + MAX_AHEAD) return
      const told = payload.waiting.get(index) ?? []
      if (told.length >= MAX_STORIES) return
      payload.waiting.set(index, [...told, incoming])
      if (index === 0) for (const other of payloads.values()) if (other !== payload) releaseRest(other)
      releaseGood(payload, chain)
      flush()
    },
    executed(states) {
      if (states === null) {
        for (const each of due.splice(0)) send(each)
        return
      }
      due = due.map((each) => (isComplete(each) ? each : filledFrom(each, states)))
      flush()
    },
    tick(nowMs) {
      while (due[0] !== undefined && nowMs - due[0].receivedMs > patienceMs) send(due.shift()!)
      flush()
    },
  }
}

const MAX_PAYLOADS = 16
const MAX_AHEAD = 64
const MAX_STORIES = 4

function isComplete({ flashblock: { transactions }, message: { metadata } }: Incoming): boolean {
  const { receipts, new_account_balances: balances } = metadata
  return transactions.length === 0 || (!!balances && transactions.every(({ hash }) => receipts?.[hash] !== undefined))
}

function filledFrom(due: Due, states: readonly PendingState[]): Due {
  const { flashblock, message, firstTransaction } = due
  const { transactions, payloadId, totals } = flashblock
  const state = states.find(({ block }) => block.payloadId === payloadId)
  const receipts = state?.receipts.slice(firstTransaction, firstTransaction + transactions.length) ?? []
  if (state === undefined || receipts.length < transactions.length) return due
  const { metadata } = message
  // A later flashblock may have been executed with this one: the balances then are not of this moment.
  const balances = state.block.hash === totals.blockHash ? balancesIn(state) : {}
  return {
    ...due,
    message: {
      ...message,
      metadata: {
        ...metadata,
        new_account_balances: { ...balances, ...metadata.new_account_balances },
        receipts: Object.fromEntries(
          transactions.map(({ hash }, i) => [hash, metadata.receipts?.[hash] ?? receiptToFeed(receipts[i]!)]),
        ),
      },
    },
  }
}

function balancesIn({ changes, source }: PendingState): Record<string, string> {
  return Object.fromEntries(
    Array.from(new Set([...changes.accounts.keys(), ...changes.slots.keys()]), (address) => [
      addressToHex(address),
      toQuantity(source.account(address)?.balance ?? 0n),
    ]),
  )
}
