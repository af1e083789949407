// Changes over a source, for example a pending block over the canonical state. Unlike a world state it has no journal and does not
// cache what it reads; changes are applied as a whole, and layers can be stacked, one per block.
import type { Code } from './code.ts'
import type { Account, StateChanges, StateSource } from './state-source.ts'

export class StateLayer implements StateSource {
  readonly #source: StateSource
  readonly #accounts = new Map<bigint, Account | null>()
  readonly #wiped = new Set<bigint>()
  readonly #slots = new Map<bigint, Map<bigint, bigint>>()
  readonly #codes = new Map<bigint, Code>()

  constructor(source: StateSource) {
    this.#source = source
  }

  account(address: bigint): Account | null | undefined {
    const account = this.#accounts.get(address)
    return account === undefined ? this.#source.account(address) : account
  }

  storage(address: bigint, slot: bigint): bigint | undefined {
    const value = this.#slots.get(address)?.get(slot)
    if (value !== undefined) return value
    return this.#wiped.has(address) ? 0n : this.#source.storage(address, slot)
  }

  code(address: bigint, codeHash: bigint): Code | undefined {
    return this.#codes.get(codeHash) ?? this.#source.code(address, codeHash)
  }

  blockHash(number: number): bigint | undefined {
    return this.#source.blockHash(number)
  }

  hasStorage(address: bigint): boolean {
    return !this.#wiped.has(address) && this.#source.hasStorage?.(address) === true
  }

  apply({ accounts, wiped, slots, codes }: StateChanges): void {
    for (const [address, account] of accounts) this.#accounts.set(address, account)
    for (const address of wiped) {
      this.#wiped.add(address)
      this.#slots.delete(address)
    }
    for (const [address, values] of slots) {
      const known = this.#slots.get(address) ?? new Map<bigint, bigint>()
      for (const [slot, value] of values) known.set(slot, value)
      this.#slots.set(address, known)
    }
    for (const [codeHash, code] of codes) this.#codes.set(codeHash, code)
  }
}
