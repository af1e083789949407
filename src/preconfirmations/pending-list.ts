// The preconfirmed transactions of the last blocks, by hash, by address and by height.
import type { Hex } from '../chain/bytes/hex.ts'
import type { PendingTransactionRow } from './pending-row.ts'

export type PendingList = {
  take(rows: readonly PendingTransactionRow[]): void
  /** A block of this height is canonical: rows far below it are in the index by now, or dropped. */
  moveTo(height: number): void
  /** In blocks above this height, newest first. */
  above(height: number): readonly PendingTransactionRow[]
  /** The same, of one address: a party, or the party or the token of a transfer. */
  of(address: Hex, height: number): readonly PendingTransactionRow[]
  get(hash: Hex): PendingTransactionRow | undefined
}

/** Of an index that is further behind nothing is shown as pending. */
const MOST_HEIGHTS = 64
const MOST_ROWS = 20_000
/** Of call data, as text. */
const MOST_INPUT_CHARS = 128 * 2 ** 20

export function createPendingList(): PendingList {
  const rows = new Map<Hex, PendingTransactionRow>()
  const byAddress = createGroups<Hex>()
  const byHeight = createGroups<number>()
  let inputChars = 0

  const add = (row: PendingTransactionRow): void => {
    rows.set(row.hash, row)
    inputChars += row.input.length
    byHeight.add(row.block.height, row.hash)
    for (const address of mentionedIn(row)) byAddress.add(address, row.hash)
  }
  const remove = (row: PendingTransactionRow): void => {
    rows.delete(row.hash)
    inputChars -= row.input.length
    byHeight.remove(row.block.height, row.hash)
    for (const address of mentionedIn(row)) byAddress.remove(address, row.hash)
  }
  const newestFirst = (hashes: Iterable<Hex>, height: number): PendingTransactionRow[] =>
    [...hashes]
      .map((hash) => rows.get(hash)!)
      .filter((row) => row.block.height > height)
      .sort((a, b) => b.block.height - a.block.height || b.position - a.position)

  return {
    take(added) {
      for (const row of added) {
        const known = rows.get(row.hash)
        if (known !== undefined) remove(known)
        add(row)
        while (rows.size > MOST_ROWS || inputChars > MOST_INPUT_CHARS) remove(rows.values().next().value!)
      }
    },
    moveTo(height) {
      // Rows are in the order of arrival, which is nearly that of their heights; a row that is passed over is removed the next time.
      for (const row of rows.values()) {
        if (row.block.height > height - MOST_HEIGHTS) break
        remove(row)
      }
    },
    above: (height) =>
      newestFirst(
        byHeight.keys().flatMap((each) => (each > height ? byHeight.of(each) : [])),
        height,
      ),
    of: (address, height) => newestFirst(byAddress.of(address), height),
    get: (hash) => rows.get(hash),
  }
}

type Groups<K> = {
  add(key: K, hash: Hex): void
  remove(key: K, hash: Hex): void
  of(key: K): Iterable<Hex>
  keys(): IteratorObject<K>
}

function createGroups<K>(): Groups<K> {
  const groups = new Map<K, Set<Hex>>()
  return {
    add(key, hash) {
      const known = groups.get(key)
      if (known === undefined) groups.set(key, new Set([hash]))
      else known.add(hash)
    },
    remove(key, hash) {
      const known = groups.get(key)
      known?.delete(hash)
      if (known?.size === 0) groups.delete(key)
    },
    of: (key) => groups.get(key) ?? [],
    keys: () => groups.keys(),
  }
}

function mentionedIn({ sender, recipient, contractAddress, transfers }: PendingTransactionRow): ReadonlySet<Hex> {
  const mentioned = new Set<Hex>([sender])
  if (recipient !== null) mentioned.add(recipient)
  if (contractAddress !== null) mentioned.add(contractAddress)
  for (const transfer of transfers) mentioned.add(transfer.sender).add(transfer.recipient).add(transfer.token)
  return mentioned
}
