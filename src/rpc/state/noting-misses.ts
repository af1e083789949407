// A source that remembers what it was asked for in vain, by however many worlds that stand on it.
import type { Misses, StateSource } from '../../evm/state/state-source.ts'

export type NotingSource = { readonly source: StateSource; misses(): Misses | null }

export function recordMisses(source: StateSource): NotingSource {
  const accounts = new Set<bigint>()
  const slots = new Map<bigint, Set<bigint>>()
  const codes = new Map<bigint, bigint>()
  const blockHashes = new Set<number>()
  const noted = <T>(value: T | undefined, note: () => void): T | undefined => {
    if (value === undefined) note()
    return value
  }
  return {
    source: {
      account: (address) => noted(source.account(address), () => accounts.add(address)),
      storage: (address, slot) =>
        noted(source.storage(address, slot), () => {
          const keys = slots.get(address) ?? new Set<bigint>()
          slots.set(address, keys.add(slot))
        }),
      code: (address, codeHash) => noted(source.code(address, codeHash), () => codes.set(address, codeHash)),
      blockHash: (number) => noted(source.blockHash(number), () => blockHashes.add(number)),
    },
    misses: () =>
      accounts.size + slots.size + codes.size + blockHashes.size === 0 ? null : { accounts, slots, codes, blockHashes },
  }
}
