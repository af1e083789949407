// The ledger of every preconfirmation: what was announced, when, and what became of it. It is deterministic and reads no clock: the same
// inputs give the same events, and its state follows from its events. It never waits and never touches SQL. Its memory is bounded; older
// records are in the store only.

import type { Hex } from '../chain/bytes/hex.ts'
import type { Flashblock } from '../chain/codec/flashblock.ts'
import type { BlockRecord, FlashblockRecord, TagAdvance, TransactionRecord } from '../chain/preconfirmations/record.ts'
import type { FlashblockMessage } from '../contract/flashblock.ts'
import type { CanonicalBlock } from '../pending/compare-with-sealed.ts'
import type { PendingBlock } from '../pending/pending-block.ts'
import type { PendingChain } from '../pending/pending-chain.ts'
import { outgoingFrom } from '../relay/outgoing-flashblock.ts'
import { createLedgerHeights } from './ledger-heights.ts'
import { type PendingTransactionRow, pendingRowOf } from './pending-row.ts'
import { settledBlock } from './sealed-block-verdict.ts'
import { advanceOf, createTagTimes } from './tag-times.ts'
import { firstSight, preconfirmedAs, seenAgain, takenBackAt } from './transaction-record.ts'
import { createTransactionRecords, type StagedRecord, stagesFrom } from './transaction-records.ts'

export type LedgerInput =
  /** Our own RPC passed it on to the node. */
  | { readonly type: 'seen'; readonly hash: Hex; readonly raw: Hex; readonly atMs: number }
  /** The first of each index, before the pending chain takes it. */
  | {
      readonly type: 'flashblock'
      readonly flashblock: Flashblock
      readonly message: FlashblockMessage
      readonly receivedMs: number
    }
  /** The pending chain after every event and with every view, which may have filled in receipts. */
  | { readonly type: 'chain'; readonly chain: PendingChain; readonly atMs: number }
  /** Every canonical block, right before the pending chain takes it. */
  | { readonly type: 'canonical'; readonly block: CanonicalBlock; readonly atMs: number }
  /** Heights of the node's tags, as often as they are asked for. */
  | { readonly type: 'tags'; readonly safe: number | null; readonly finalized: number | null; readonly atMs: number }

export type LedgerEvent =
  | { readonly type: 'transaction'; readonly record: TransactionRecord }
  /** Sent through our own RPC, with its bytes: the node may not show its pool. */
  | { readonly type: 'sent'; readonly hash: Hex; readonly raw: Hex; readonly atMs: number }
  /** Rows for lists of transactions that are in no canonical block yet. */
  | { readonly type: 'pending'; readonly rows: readonly PendingTransactionRow[] }
  | { readonly type: 'flashblock'; readonly record: FlashblockRecord; readonly text: string }
  /** A canonical block, or another one in its place. */
  | { readonly type: 'block'; readonly record: BlockRecord }
  | { readonly type: 'tag'; readonly advance: TagAdvance }

export type Ledger = {
  take(input: LedgerInput): void
  /** Null for a transaction that is not in memory. */
  stagesOf(hash: Hex): StagedRecord | null
  /** Called with what an input changed, if anything; returns a function that ends it. */
  on(listener: (events: readonly LedgerEvent[]) => void): () => void
}

export function createLedger(): Ledger {
  const records = createTransactionRecords()
  const heights = createLedgerHeights()
  const tagTimes = createTagTimes()
  const listeners = new Set<(events: readonly LedgerEvent[]) => void>()
  let events: LedgerEvent[] = []
  let lastFlashblockMs: number | null = null
  /** Longest since the last canonical block. */
  let silenceMs = 0
  /** The lowest block whose index 0 was received: the feed was not followed below it. */
  let receivedFrom: number | null = null

  const store = (record: TransactionRecord): void => {
    if (records.set(record)) events.push({ type: 'transaction', record })
  }

  const receive = ({ flashblock, message, receivedMs }: LedgerInput & { type: 'flashblock' }): void => {
    silenceMs = Math.max(silenceMs, receivedMs - (lastFlashblockMs ?? receivedMs))
    lastFlashblockMs = receivedMs
    const record = heights.at(flashblock.height)?.received.add(flashblock, receivedMs)
    if (!record) return
    if (record.index === 0) receivedFrom ??= record.height
    events.push({ type: 'flashblock', record, text: JSON.stringify(outgoingFrom(message)) })
  }

  const announce = (block: PendingBlock, atMs: number): void => {
    const { number: height } = block.header
    const at = heights.at(height)
    if (at === null || at.block === block) return
    const rows: PendingTransactionRow[] = []
    const isSamePayload = at.block?.payloadId === block.payloadId
    const before = isSamePayload ? at.block!.transactions : []
    if (!isSamePayload) at.transferCounts.length = 0
    let transfers = 0
    for (const [position, { recovered, flashblockIndex, outcome }] of block.transactions.entries()) {
      const known = before[position]
      if (known !== undefined && (known.outcome !== null || outcome === null)) {
        transfers += at.transferCounts[position] ?? 0
        continue
      }
      const { hash } = recovered
      at.announced.add(hash)
      const record = records.get(hash) ?? firstSight({ hash, seenMs: atMs, seenBy: 'feed' })
      store(preconfirmedAs(record, { height, flashblockIndex, position, atMs }))
      const row = pendingRowOf(block, position, transfers)
      at.transferCounts[position] = row.transfers.length
      transfers += row.transfers.length
      rows.push(row)
    }
    at.block = block
    if (rows.length > 0) events.push({ type: 'pending', rows })
  }

  const settle = (canonical: CanonicalBlock, atMs: number): void => {
    const height = canonical.header.number
    const at = heights.at(height) ?? null
    if (at?.settled?.hash === canonical.hash) return
    for (const replaced of heights.settledFrom(height)) {
      for (const hash of replaced.settled!.transactions) {
        const record = records.get(hash)
        if (record?.inclusion?.blockHash === replaced.settled!.hash) store(takenBackAt(record, atMs))
      }
      replaced.settled = null
    }
    heights.moveTo(height)
    const own = heights.at(height)!
    own.settled = { hash: canonical.hash, transactions: canonical.transactions.map(({ hash }) => hash) }
    const wasFollowed = own.block !== null || (receivedFrom !== null && height >= receivedFrom)
    const received = { ...own.received.counts(), silenceMs: Math.max(silenceMs, atMs - (lastFlashblockMs ?? atMs)) }
    const { block, transactions } = settledBlock({ block: own.block, hashes: own.announced, received }, records, {
      canonical,
      atMs,
    })
    silenceMs = 0
    // Before the feed was followed, only transactions count that came through our own RPC.
    for (const record of transactions) if (wasFollowed || records.get(record.hash) !== undefined) store(record)
    if (wasFollowed) events.push({ type: 'block', record: block })
  }

  const lookAt = (tag: TagAdvance['tag'], height: number | null, atMs: number): void => {
    const advance = advanceOf(tag, tagTimes.heights()[tag], { height, atMs })
    if (advance === null) return
    tagTimes.take(advance)
    events.push({ type: 'tag', advance })
  }

  const take = (input: LedgerInput): void => {
    switch (input.type) {
      case 'seen': {
        const sighting = { hash: input.hash, seenMs: input.atMs, seenBy: 'rpc' } as const
        const record = records.get(input.hash)
        store(record === undefined ? firstSight(sighting) : seenAgain(record, sighting))
        events.push({ type: 'sent', hash: input.hash, raw: input.raw, atMs: input.atMs })
        break
      }
      case 'flashblock':
        receive(input)
        break
      case 'chain':
        for (const block of input.chain.blocks) announce(block, input.atMs)
        break
      case 'canonical':
        settle(input.block, input.atMs)
        break
      case 'tags':
        lookAt('safe', input.safe, input.atMs)
        lookAt('finalized', input.finalized, input.atMs)
        break
    }
  }

  return {
    take(input) {
      take(input)
      if (events.length === 0) return
      const batch = events
      events = []
      for (const listener of listeners) listener(batch)
    },
    stagesOf: (hash) => {
      const record = records.get(hash)
      return record === undefined ? null : stagesFrom(record, tagTimes)
    },
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
