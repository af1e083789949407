// A map from hash to height with twelve bytes per entry, for chains that run for weeks. It stores only the first 64 bits of a hash and
// never removes an entry, so the caller must check that the block found really has the hash.
import type { Hex } from '../../src/chain/bytes/hex.ts'

export const PREFIX_BYTES = 8

export class HashIndex {
  /** Two words of the hash and the height plus one, zero where free. */
  #table = new Uint32Array(ENTRY_WORDS * SMALLEST_CAPACITY)
  #capacity = SMALLEST_CAPACITY
  #size = 0

  set(hash: Hex, height: number): void {
    this.setPrefix(firstWord(hash), secondWord(hash), height)
  }

  setPrefix(first: number, second: number, height: number): void {
    if (2 * this.#size >= this.#capacity) this.#grow()
    const at = this.#find(first, second)
    if (this.#table[at + 2] === 0) this.#size++
    this.#table[at] = first
    this.#table[at + 1] = second
    this.#table[at + 2] = height + 1
  }

  get(hash: Hex): number | null {
    const stored = this.#table[this.#find(firstWord(hash), secondWord(hash)) + 2]!
    return stored === 0 ? null : stored - 1
  }

  /** The entry with these words, or the free entry for them. */
  #find(first: number, second: number): number {
    let entry = first & (this.#capacity - 1)
    for (;;) {
      const at = entry * ENTRY_WORDS
      if (this.#table[at + 2] === 0 || (this.#table[at] === first && this.#table[at + 1] === second)) return at
      entry = (entry + 1) & (this.#capacity - 1)
    }
  }

  #grow(): void {
    const old = this.#table
    this.#capacity *= 2
    this.#table = new Uint32Array(ENTRY_WORDS * this.#capacity)
    this.#size = 0
    for (let at = 0; at < old.length; at += ENTRY_WORDS) {
      if (old[at + 2] !== 0) this.setPrefix(old[at]!, old[at + 1]!, old[at + 2]! - 1)
    }
  }
}

const ENTRY_WORDS = 3
/** A power of two, like every capacity. */
const SMALLEST_CAPACITY = 1024

function firstWord(hash: Hex) {
  return Number.parseInt(hash.slice(2, 10), 16)
}
function secondWord(hash: Hex) {
  return Number.parseInt(hash.slice(10, 18), 16)
}
