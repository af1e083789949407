// Changes on top of a source, immutable both: a reader that holds one sees the same state for as long as it likes.
import type { Account, StateChanges, StateSource } from '../evm/state/state-source.ts'

export type OverlayGround = {
  readonly source: StateSource
  /** The block before the one that the changes are of, which BLOCKHASH must know. */
  readonly parent: { readonly height: number; readonly hash: bigint }
}

export function overlaid({ source, parent }: OverlayGround, changes: StateChanges): StateSource {
  const { accounts, wiped, slots, codes } = changes
  return {
    account(address): Account | null | undefined {
      const account = accounts.get(address)
      return account === undefined ? source.account(address) : account
    },
    storage(address, slot) {
      const value = slots.get(address)?.get(slot)
      if (value !== undefined) return value
      return wiped.has(address) ? 0n : source.storage(address, slot)
    },
    code: (address, codeHash) => codes.get(codeHash) ?? source.code(address, codeHash),
    blockHash: (height) => (height === parent.height ? parent.hash : source.blockHash(height)),
  }
}

export const NO_CHANGES: StateChanges = { accounts: new Map(), wiped: new Set(), slots: new Map(), codes: new Map() }

/** What both did, one after the other. */
export function changesWith(earlier: StateChanges, later: StateChanges): StateChanges {
  const slots = new Map(earlier.slots)
  for (const address of later.wiped) slots.delete(address)
  for (const [address, values] of later.slots) slots.set(address, mapWith(slots.get(address) ?? [], values))
  return {
    accounts: mapWith(earlier.accounts, later.accounts),
    wiped: earlier.wiped.union(later.wiped),
    slots,
    codes: mapWith(earlier.codes, later.codes),
  }
}

/** A copy with the later entries in it, without a list of all in between. */
export function mapWith<K, V>(earlier: Iterable<readonly [K, V]>, later: ReadonlyMap<K, V>): Map<K, V> {
  const map = new Map(earlier)
  for (const [key, value] of later) map.set(key, value)
  return map
}
