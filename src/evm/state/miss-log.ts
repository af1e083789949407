// Records what a world read and its source did not know. The world continued with placeholders, which `take` removes.
import type { AccountRecord } from './account-record.ts'
import type { Misses } from './state-source.ts'

export class MissLog {
  readonly #accounts = new Set<bigint>()
  readonly #slots = new Map<AccountRecord, Set<bigint>>()
  readonly #codes = new Map<bigint, bigint>()
  readonly #blockHashes = new Set<number>()

  account(address: bigint): void {
    this.#accounts.add(address)
  }

  slot(record: AccountRecord, key: bigint): void {
    const keys = this.#slots.get(record) ?? new Set<bigint>()
    this.#slots.set(record, keys.add(key))
  }

  code(record: AccountRecord): void {
    this.#codes.set(record.address, record.codeHash)
  }

  blockHash(number: number): void {
    this.#blockHashes.add(number)
  }

  take(forgetAccount: (address: bigint) => void): Misses | null {
    if (this.#accounts.size + this.#slots.size + this.#codes.size + this.#blockHashes.size === 0) return null
    for (const address of this.#accounts) forgetAccount(address)
    for (const [record, keys] of this.#slots) for (const key of keys) record.slots.delete(key)
    const misses: Misses = {
      accounts: new Set(this.#accounts),
      slots: new Map([...this.#slots].map(([record, keys]) => [record.address, keys])),
      codes: new Map(this.#codes),
      blockHashes: new Set(this.#blockHashes),
    }
    this.#accounts.clear()
    this.#slots.clear()
    this.#codes.clear()
    this.#blockHashes.clear()
    return misses
  }
}
