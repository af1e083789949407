// The state after the head in maps, and reverse changes for the last few hundred blocks. The state after block n is the newest state
// seen through the reverse changes of the blocks above n.
import { bytesToBigint, type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { codeHashOf } from '../../src/evm/state/code.ts'
import type { MemoryState } from '../../src/evm/state/memory-state.ts'
import type { Account, StateChanges, StateSource } from '../../src/evm/state/state-source.ts'
import type { StateTrie } from '../../src/evm/state/state-trie.ts'
import type { Programs } from '../genesis/own-rules.ts'
import { addChanges, noChanges, reverseOf } from './changes.ts'

/** The state that a run reads is no longer available. */
export class StateGone extends Error {
  override readonly name = 'StateGone'
}

export class StateHistory {
  readonly latest: MemoryState
  readonly #hashOf: (number: number) => Hex | null
  /** What runs at addresses without code. Whoever executes sees it as their code; the tries do not have it. */
  readonly #programs: Programs
  readonly #maxBlocks: number
  readonly #programHashes: ReadonlyMap<bigint, bigint>
  /** Newest last. Each leads from the state after a block to the state before it. */
  readonly #reverses: StateChanges[] = []
  #head: number
  /** Counts appends and rewinds: what a source knows of the reverse changes is out of date after one. */
  #version = 0

  constructor(start: {
    latest: MemoryState
    head: number
    hashOf: (number: number) => Hex | null
    programs: Programs
    maxBlocks: number
  }) {
    this.latest = start.latest
    this.#head = start.head
    this.#hashOf = start.hashOf
    this.#programs = start.programs
    this.#maxBlocks = start.maxBlocks
    this.#programHashes = new Map([...this.#programs].map(([address, program]) => [address, codeHashOf(program.bytes)]))
  }

  /** The state after the next block. */
  append(changes: StateChanges): void {
    this.#reverses.push(reverseOf(changes, this.latest))
    if (this.#reverses.length > this.#maxBlocks) this.#reverses.shift()
    this.latest.apply(changes)
    this.#head++
    this.#version++
  }

  /** Goes back to the state after `number`; `changes` lead to it. */
  rewind(number: number, changes: StateChanges): void {
    this.latest.apply(changes)
    this.#reverses.length = Math.max(0, this.#reverses.length - (this.#head - number))
    this.#head = number
    this.#version++
  }

  /** The changes from the newest state back to the one after `number`. */
  changesBackTo(number: number): StateChanges {
    const changes = noChanges()
    for (const reverse of this.#reversesAbove(number).reverse()) addChanges(changes, reverse)
    return changes
  }

  /** Null if the state is too old, or above the head. The source stays right while blocks are added; it throws `StateGone` when its state
   * has become too old, or its block was removed. */
  at(number: number): StateSource | null {
    return this.knows(number) ? this.#source(number, this.#hashOf(number)) : null
  }

  /** The same for a block that may no longer be canonical. */
  after(hash: Hex, number: number): StateSource | null {
    return this.#hashOf(number) === hash ? this.at(number) : null
  }

  knows(number: number): boolean {
    return number <= this.#head && number >= this.#head - this.#reverses.length
  }

  /** Drops all states but the newest. */
  forgetHistory(): void {
    this.#reverses.length = 0
  }

  /** Searches oldest first: the first reverse change that names a value holds the value as it was. */
  #reversesAbove(number: number): StateChanges[] {
    return this.#reverses.slice(this.#reverses.length - (this.#head - number))
  }

  #source(number: number, hash: Hex | null): StateSource {
    const { latest } = this
    const [programs, hashes] = [this.#programs, this.#programHashes]
    let above = this.#reversesAbove(number)
    let version = this.#version
    const reverses = (): readonly StateChanges[] => {
      if (version === this.#version) return above
      if (!this.knows(number) || this.#hashOf(number) !== hash) throw new StateGone()
      above = this.#reversesAbove(number)
      version = this.#version
      return above
    }
    const stored = (address: bigint): Account | null => {
      for (const { accounts } of reverses()) {
        const account = accounts.get(address)
        if (account !== undefined) return account
      }
      return latest.account(address)
    }
    return {
      account(address): Account | null {
        const account = stored(address)
        const codeHash = hashes.get(address)
        return account === null || codeHash === undefined ? account : { ...account, codeHash }
      },
      storage(address, slot): bigint {
        for (const { slots, wiped } of reverses()) {
          const value = slots.get(address)?.get(slot)
          if (value !== undefined) return value
          if (wiped.has(address)) return 0n
        }
        return latest.storage(address, slot)
      },
      code: (address, codeHash) => programs.get(address) ?? latest.code(address, codeHash),
      blockHash: (height) => {
        const hash = height <= number ? this.#hashOf(height) : null
        return hash === null ? 0n : bytesToBigint(hexToBytes(hash))
      },
    }
  }
}

/** The trie after a block of the history; `trie` is the one after the head. */
export function trieBack(
  { blocks, history }: { readonly blocks: { readonly headNumber: number }; readonly history: StateHistory },
  trie: StateTrie,
  number: number,
): StateTrie {
  if (number === blocks.headNumber) return trie
  const fork = trie.fork()
  fork.apply(history.changesBackTo(number))
  return fork
}
