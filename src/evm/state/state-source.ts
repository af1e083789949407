// The synchronous lookup that a world state reads from. A source that would have to fetch a value returns `undefined`; the world records
// the miss and continues with a placeholder, and the caller fetches all misses together and runs again.
import type { Code } from './code.ts'

export type Account = {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: bigint
}

export interface StateSource {
  /** Null: the account does not exist. Undefined: this source does not know. */
  account(address: bigint): Account | null | undefined
  storage(address: bigint, slot: bigint): bigint | undefined
  /** The same value for the same code, if possible: it carries the analysis. */
  code(address: bigint, codeHash: bigint): Code | undefined
  blockHash(number: number): bigint | undefined
  /** EIP-7610: whether an account without code and nonce has storage. No real chain has one, so a source may omit this. */
  hasStorage?(address: bigint): boolean
}

/** What a run read and its source did not know. */
export type Misses = {
  readonly accounts: ReadonlySet<bigint>
  readonly slots: ReadonlyMap<bigint, ReadonlySet<bigint>>
  /** Code hash by address. */
  readonly codes: ReadonlyMap<bigint, bigint>
  readonly blockHashes: ReadonlySet<number>
}

/** What a run changed. A trie or a lower layer applies it; a flashblock lists its new balances. */
export type StateChanges = {
  /** Null: the account was removed. */
  readonly accounts: ReadonlyMap<bigint, Account | null>
  /** Addresses whose whole storage was deleted before `slots` was written. */
  readonly wiped: ReadonlySet<bigint>
  readonly slots: ReadonlyMap<bigint, ReadonlyMap<bigint, bigint>>
  /** New code by its hash. */
  readonly codes: ReadonlyMap<bigint, Code>
}
