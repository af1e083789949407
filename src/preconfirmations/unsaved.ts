// Ledger events that are not in the store yet. Bounded: while the database is down the oldest records are dropped and counted.
import type { Hex } from '../chain/bytes/hex.ts'
import type { BlockRecord, FlashblockRecord, TagAdvance, TransactionRecord } from '../chain/preconfirmations/record.ts'
import type { LedgerEvent } from './ledger.ts'

export type UnsavedBatch = {
  /** Each once, as it is now. */
  readonly transactions: readonly TransactionRecord[]
  readonly flashblocks: readonly { readonly record: FlashblockRecord; readonly text: string }[]
  readonly blocks: readonly BlockRecord[]
  readonly tags: readonly TagAdvance[]
}

export type Unsaved = {
  take(events: readonly LedgerEvent[]): void
  /** Takes out everything that waits; null where nothing does. */
  batch(): UnsavedBatch | null
  /** It could not be saved: it waits again, before what came meanwhile. */
  putBack(batch: UnsavedBatch): void
  readonly size: number
  /** Records that were dropped. */
  readonly lost: number
}

export type UnsavedLimits = { readonly transactions: number; readonly flashblocks: number; readonly others: number }

/** Some minutes of a busy chain: a hundred megabytes at most. */
const LIMITS: UnsavedLimits = { transactions: 50_000, flashblocks: 2_000, others: 5_000 }

export function createUnsaved(limits = LIMITS): Unsaved {
  let transactions = new Map<Hex, TransactionRecord>()
  let flashblocks: UnsavedBatch['flashblocks'][number][] = []
  let blocks: BlockRecord[] = []
  let tags: TagAdvance[] = []
  let lost = 0

  const within = <T>(list: T[], most: number): T[] => {
    lost += Math.max(0, list.length - most)
    return list.length > most ? list.slice(-most) : list
  }
  const bound = (): void => {
    for (const hash of transactions.keys()) {
      if (transactions.size <= limits.transactions) break
      transactions.delete(hash)
      lost++
    }
    flashblocks = within(flashblocks, limits.flashblocks)
    blocks = within(blocks, limits.others)
    tags = within(tags, limits.others)
  }

  return {
    take(events) {
      for (const event of events) {
        if (event.type === 'transaction') {
          transactions.delete(event.record.hash)
          transactions.set(event.record.hash, event.record)
        } else if (event.type === 'flashblock') flashblocks.push({ record: event.record, text: event.text })
        else if (event.type === 'block') blocks.push(event.record)
        else if (event.type === 'tag') tags.push(event.advance)
      }
      bound()
    },
    batch() {
      if (sizeOf() === 0) return null
      const batch = { transactions: [...transactions.values()], flashblocks, blocks, tags }
      transactions = new Map()
      flashblocks = []
      blocks = []
      tags = []
      return batch
    },
    putBack(batch) {
      const older = new Map(batch.transactions.map((record) => [record.hash, record]))
      // Records that changed meanwhile are newer.
      transactions = new Map([...older, ...transactions])
      flashblocks = [...batch.flashblocks, ...flashblocks]
      blocks = [...batch.blocks, ...blocks]
      tags = [...batch.tags, ...tags]
      bound()
    },
    get size() {
      return sizeOf()
    },
    get lost() {
      return lost
    },
  }

  function sizeOf(): number {
    return transactions.size + flashblocks.length + blocks.length + tags.length
  }
}
