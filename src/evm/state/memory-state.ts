// A complete state in maps, for chains in memory (the devnet) and for tests.
import { type Code, codeHashOf, EMPTY_CODE_HASH, toCode } from './code.ts'
import type { Account, StateChanges, StateSource } from './state-source.ts'

export type Allocation = {
  readonly nonce?: bigint
  readonly balance?: bigint
  readonly code?: Uint8Array
  readonly storage?: Iterable<readonly [slot: bigint, value: bigint]>
}

export class MemoryState implements StateSource {
  readonly accounts = new Map<bigint, Account>()
  readonly slots = new Map<bigint, Map<bigint, bigint>>()
  readonly codes = new Map<bigint, Code>()
  readonly blockHashes = new Map<number, bigint>()

  constructor(allocations: Iterable<readonly [address: bigint, allocation: Allocation]> = []) {
    for (const [address, { nonce = 0n, balance = 0n, code, storage = [] }] of allocations) {
      const codeHash = code === undefined ? EMPTY_CODE_HASH : codeHashOf(code)
      if (code !== undefined) this.codes.set(codeHash, toCode(code))
      this.accounts.set(address, { nonce, balance, codeHash })
      for (const [slot, value] of storage) this.#setSlot(address, slot, value)
    }
  }

  account(address: bigint): Account | null {
    return this.accounts.get(address) ?? null
  }

  storage(address: bigint, slot: bigint): bigint {
    return this.slots.get(address)?.get(slot) ?? 0n
  }

  code(_address: bigint, codeHash: bigint): Code | undefined {
    return this.codes.get(codeHash)
  }

  blockHash(number: number): bigint {
    return this.blockHashes.get(number) ?? 0n
  }

  hasStorage(address: bigint): boolean {
    return this.slots.has(address)
  }

  apply(changes: StateChanges): void {
    for (const [address, account] of changes.accounts) {
      if (account === null) this.accounts.delete(address)
      else this.accounts.set(address, account)
    }
    for (const address of changes.wiped) this.slots.delete(address)
    for (const [address, slots] of changes.slots) {
      for (const [slot, value] of slots) this.#setSlot(address, slot, value)
    }
    for (const [codeHash, code] of changes.codes) this.codes.set(codeHash, code)
  }

  /** An account without non-zero slots has no entry in `slots`: its storage trie is empty. */
  #setSlot(address: bigint, slot: bigint, value: bigint): void {
    const slots = this.slots.get(address) ?? new Map<bigint, bigint>()
    if (value === 0n) slots.delete(slot)
    else slots.set(slot, value)
    if (slots.size === 0) this.slots.delete(address)
    else this.slots.set(address, slots)
  }
}
