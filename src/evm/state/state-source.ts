// Where a world reads what it does not know yet: a plain, synchronous lookup. A source that would have to fetch answers `undefined`;
// the world notes the miss, goes on with a placeholder, and the caller fetches all misses at once and runs again.

export type Account = {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: bigint
}

export interface StateSource {
  /** Null: there is no such account. Undefined: not known here. */
  account(address: bigint): Account | null | undefined
  storage(address: bigint, slot: bigint): bigint | undefined
  /** The same array for the same code, if possible: its analysis is kept with it. */
  code(address: bigint, codeHash: bigint): Uint8Array | undefined
  blockHash(number: number): bigint | undefined
  /** EIP-7610: whether an account without code or nonce has storage. No living chain has one, so a source may leave it out. */
  hasStorage?(address: bigint): boolean
}

/** What a run asked for and its source did not know. */
export type Misses = {
  readonly accounts: ReadonlySet<bigint>
  readonly slots: ReadonlyMap<bigint, ReadonlySet<bigint>>
  /** Code hash by address. */
  readonly codes: ReadonlyMap<bigint, bigint>
  readonly blockHashes: ReadonlySet<number>
}

/** What a run changed, for a trie, a lower layer, or the list of new balances in a flashblock. */
export type StateChanges = {
  /** Null: the account is gone. */
  readonly accounts: ReadonlyMap<bigint, Account | null>
  /** Addresses whose whole storage went away before `slots` was written. */
  readonly wiped: ReadonlySet<bigint>
  readonly slots: ReadonlyMap<bigint, ReadonlyMap<bigint, bigint>>
  /** New code by its hash. */
  readonly codes: ReadonlyMap<bigint, Uint8Array>
}
