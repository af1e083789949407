// The flashblocks of the last blocks. Entries are numbered in the order in which they are pushed; the oldest block is removed whole.
import type { FeedPosition } from './outgoing-flashblock.ts'
import type { RingEntry } from './ring-entry.ts'

type RingLimits = { readonly maxBlocks: number; readonly maxBytes: number }

type Ring = {
  /** Number of the oldest entry. */
  readonly first: number
  /** Number that the next entry will get. */
  readonly next: number
  readonly bytes: () => number
  push: (entry: RingEntry) => void
  at: (number: number) => RingEntry | undefined
  /** Bytes of plain frames from this entry to the newest. */
  bytesFrom: (number: number) => number
  /** Number of the flashblock at this position, the earliest where there are several. */
  find: (position: FeedPosition) => number | undefined
  /** Number of the first index 0 of a later block; the next number where there is none. */
  firstBaseAbove: (blockNumber: number) => number
}

export function createRing({ maxBlocks, maxBytes }: RingLimits): Ring {
  const entries = new Map<number, { entry: RingEntry; offset: number }>()
  /** Numbers of the entries that start a payload. */
  const starts: number[] = []
  let first = 0
  let next = 0
  let offset = 0
  let payloadId = ''

  const bytes = () => {
    let sum = 0
    for (const { entry } of entries.values()) sum += entry.bytes()
    return sum
  }
  const removeOldest = () => {
    starts.shift()
    while (first < starts[0]!) entries.delete(first++)
  }
  const firstWhere = (isWanted: (position: FeedPosition) => boolean): number | undefined => {
    for (const [number, { entry }] of entries)
      if (entry.type === 'flashblock' && isWanted(entry.position)) return number
    return undefined
  }

  return {
    get first() {
      return first
    },
    get next() {
      return next
    },
    bytes,
    push: (entry) => {
      if (entry.type === 'flashblock' && entry.position.payloadId !== payloadId) {
        payloadId = entry.position.payloadId
        starts.push(next)
      }
      entries.set(next++, { entry, offset })
      offset += entry.frame('plain')!.length
      while (starts.length > 1 && (starts.length > maxBlocks || bytes() > maxBytes)) removeOldest()
    },
    at: (number) => entries.get(number)?.entry,
    bytesFrom: (number) => offset - (entries.get(number)?.offset ?? offset),
    find: ({ block_number, flashblock_index }) =>
      firstWhere((at) => at.block_number === block_number && at.flashblock_index === flashblock_index),
    firstBaseAbove: (blockNumber) =>
      firstWhere((at) => at.flashblock_index === 0 && at.block_number > blockNumber) ?? next,
  }
}
