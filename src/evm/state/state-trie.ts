// The Merkle-Patricia tries of a state: one of accounts, and one of storage for each account that has any. Nodes are immutable, so to fork
// a state costs one copy of the map of storage tries.

import { bigintToBytes } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import { encodeRlp } from '../../chain/bytes/rlp.ts'
import { decodeAccount, EMPTY_ACCOUNT, encodeAccount } from '../../chain/trie/account.ts'
import { EMPTY_TRIE, type Trie, trieDelete, trieGet, trieRoot, trieSet } from '../../chain/trie/trie.ts'
import type { Account, StateChanges } from './state-source.ts'

export class StateTrie {
  #accounts: Trie = EMPTY_TRIE
  #storage = new Map<bigint, Trie>()

  get root(): Uint8Array {
    return trieRoot(this.#accounts)
  }

  get accounts(): Trie {
    return this.#accounts
  }

  storageOf(address: bigint): Trie {
    return this.#storage.get(address) ?? EMPTY_TRIE
  }

  fork(): StateTrie {
    const fork = new StateTrie()
    fork.#accounts = this.#accounts
    fork.#storage = new Map(this.#storage)
    return fork
  }

  apply({ accounts, wiped, slots }: StateChanges): void {
    for (const address of wiped) this.#storage.delete(address)
    for (const [address, values] of slots) this.#setSlots(address, values)
    for (const address of new Set([...accounts.keys(), ...wiped, ...slots.keys()])) {
      this.#setAccount(address, accounts.get(address))
    }
  }

  #setSlots(address: bigint, values: ReadonlyMap<bigint, bigint>): void {
    let trie = this.storageOf(address)
    for (const [slot, value] of values) {
      const key = keccak256(bigintToBytes(slot, 32))
      trie = value === 0n ? trieDelete(trie, key) : trieSet(trie, key, encodeRlp(value))
    }
    if (trie === EMPTY_TRIE) this.#storage.delete(address)
    else this.#storage.set(address, trie)
  }

  /** Undefined: only the storage changed. */
  #setAccount(address: bigint, account: Account | null | undefined): void {
    const key = keccak256(bigintToBytes(address, 20))
    const known = account === undefined ? trieGet(this.#accounts, key) : null
    if (account === null || (account === undefined && known === null)) {
      this.#accounts = trieDelete(this.#accounts, key)
      return
    }
    const storageRoot = trieRoot(this.storageOf(address))
    const fields = account
      ? { nonce: account.nonce, balance: account.balance, codeHash: bigintToBytes(account.codeHash, 32) }
      : decodeAccount(known!)
    this.#accounts = trieSet(this.#accounts, key, encodeAccount({ ...EMPTY_ACCOUNT, ...fields, storageRoot }))
  }
}
