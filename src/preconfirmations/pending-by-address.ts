// Preconfirmed transactions by the addresses that take part in them, until the index has their block.
import type { Hex } from '../chain/bytes/hex.ts'
import type { PendingTransactionRow } from './pending-row.ts'

export type PendingList = {
  take(rows: readonly PendingTransactionRow[]): void
  /** A canonical block of this height is there: what is long below it is in the index or nowhere. */
  moveTo(height: number): void
  /** Newest first. */
  of(address: Hex): readonly PendingTransactionRow[]
}

/** Of an index that is further behind nothing is shown as pending. */
const MOST_HEIGHTS = 64
const MOST_ROWS = 20_000

export function createPendingList(): PendingList {
  const rows = new Map<Hex, PendingTransactionRow>()
  const hashes = new Map<Hex, Set<Hex>>()

  const add = (row: PendingTransactionRow): void => {
    rows.set(row.hash, row)
    for (const address of participantsIn(row)) {
      const known = hashes.get(address)
      if (known === undefined) hashes.set(address, new Set([row.hash]))
      else known.add(row.hash)
    }
  }
  const remove = (row: PendingTransactionRow): void => {
    rows.delete(row.hash)
    for (const address of participantsIn(row)) {
      const known = hashes.get(address)
      known?.delete(row.hash)
      if (known?.size === 0) hashes.delete(address)
    }
  }

  return {
    take(added) {
      for (const row of added) {
        const known = rows.get(row.hash)
        if (known !== undefined) remove(known)
        add(row)
        if (rows.size > MOST_ROWS) remove(rows.values().next().value!)
      }
    },
    moveTo(height) {
      // In the order in which they came, which is nearly that of their heights: what is left behind goes the next time.
      for (const row of rows.values()) {
        if (row.block.height > height - MOST_HEIGHTS) break
        remove(row)
      }
    },
    of: (address) =>
      [...(hashes.get(address) ?? [])]
        .map((hash) => rows.get(hash)!)
        .sort((a, b) => b.block.height - a.block.height || b.position - a.position),
  }
}

function participantsIn({ sender, recipient, contractAddress }: PendingTransactionRow): ReadonlySet<Hex> {
  return new Set([sender, recipient, contractAddress].filter((address) => address !== null))
}
