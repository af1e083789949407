// The feed on its way out. The resequencer has put the flashblocks in order; this module adds receipts and balances that the upstream
// leaves out, from what was executed, where that is known soon enough. Nothing overtakes a flashblock that waits for its receipts.

import { addressToHex, toQuantity } from '../chain/bytes/hex.ts'
import type { Flashblock } from '../chain/codec/flashblock.ts'
import type { FlashblockMessage } from '../contract/flashblock.ts'
import type { PendingState } from '../pending/executor.ts'
import { type GapStart, receiptToFeed } from './outgoing-flashblock.ts'

export type Outgoing = {
  readonly flashblock: Flashblock
  readonly message: FlashblockMessage
  /** By the clock that never jumps. */
  readonly arrivedMs: number
  /** The flashblock before the gap that lies before this one; undefined where there is no gap. */
  readonly gapAfter?: GapStart | undefined
}

export type OutgoingFeed = {
  /** Flashblocks are missing behind this one. */
  gap(after: GapStart): void
  /** The next one in order. */
  take(outgoing: Outgoing): void
  /** State that may fill what is missing; null where none will come. */
  executed(states: readonly PendingState[] | null): void
  /** Sends what has waited for its receipts for too long. */
  tick(nowMs: number): void
}

export type OutgoingFeedOptions = {
  readonly send: (outgoing: Outgoing) => void
  /** How long a flashblock without receipts is held back for them. */
  readonly receiptsTimeoutMs?: number
}

export function createOutgoingFeed({ send, receiptsTimeoutMs = 500 }: OutgoingFeedOptions): OutgoingFeed {
  let waiting: Outgoing[] = []
  let gapAfter: GapStart | undefined

  const sendComplete = (): void => {
    while (waiting[0] !== undefined && isComplete(waiting[0])) send(waiting.shift()!)
  }

  return {
    gap(after) {
      gapAfter = after
    },
    take(outgoing) {
      waiting.push(gapAfter === undefined ? outgoing : { ...outgoing, gapAfter })
      gapAfter = undefined
      sendComplete()
    },
    executed(states) {
      if (states === null) {
        for (const each of waiting.splice(0)) send(each)
        return
      }
      waiting = waiting.map((each) => (isComplete(each) ? each : filledFrom(each, states)))
      sendComplete()
    },
    tick(nowMs) {
      while (waiting[0] !== undefined && nowMs - waiting[0].arrivedMs > receiptsTimeoutMs) send(waiting.shift()!)
      sendComplete()
    },
  }
}

function isComplete({ flashblock: { transactions }, message: { metadata } }: Outgoing): boolean {
  const { receipts, new_account_balances: balances } = metadata
  return transactions.length === 0 || (!!balances && transactions.every(({ hash }) => receipts?.[hash] !== undefined))
}

function filledFrom(outgoing: Outgoing, states: readonly PendingState[]): Outgoing {
  const { flashblock, message } = outgoing
  const { transactions, payloadId, totals } = flashblock
  const state = states.find(({ block }) => block.payloadId === payloadId)
  const first = state?.block.transactions.findIndex(({ recovered }) => recovered.hash === transactions[0]?.hash) ?? -1
  if (state === undefined || first === -1) return outgoing
  const receipts = state.receipts.slice(first, first + transactions.length)
  if (receipts.length < transactions.length) return outgoing
  const { metadata } = message
  // A later flashblock may have been executed with this one: the balances then are of a later moment.
  const balances = state.block.hash === totals.blockHash ? balancesIn(state) : {}
  return {
    ...outgoing,
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
