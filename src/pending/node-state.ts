// The state after one canonical block, as far as the node was asked about it. A known value never changes, so a reader may cache it;
// unknown values are fetched, many in one batch, pinned to the block by its hash.
import {
  addressToHex,
  fromQuantity,
  type Hex,
  hexToBytes,
  hexToWord,
  toQuantity,
  wordToHex,
} from '../chain/bytes/hex.ts'
import { asObject, hashOf } from '../chain/rpc/fields.ts'
import { type Code, codeHashOf, EMPTY_CODE_HASH, toCode } from '../evm/state/code.ts'
import type { Account, Misses, StateChanges, StateSource } from '../evm/state/state-source.ts'

/** Answers in the order of the calls. */
export type AskNode = (calls: readonly NodeCall[], signal: AbortSignal) => Promise<readonly NodeAnswer[]>
export type NodeCall = { readonly method: string; readonly params: readonly unknown[] }
export type NodeAnswer =
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'refused'; readonly code: number; readonly message: string }

/** The node does not answer, or does not have the requested state (any more). */
export class StateUnavailable extends Error {
  override readonly name = 'StateUnavailable'
}

export type Pin = { readonly height: number; readonly hash: Hex }

export class NodeState implements StateSource {
  readonly pin: Pin
  readonly #accounts: Map<bigint, Account | null>
  readonly #slots: Map<bigint, Map<bigint, bigint>>
  readonly #blockHashes: Map<number, bigint>
  readonly #codes: Map<bigint, Code>

  private constructor(pin: Pin, known: Known) {
    this.pin = pin
    this.#accounts = known.accounts
    this.#slots = known.slots
    this.#blockHashes = known.blockHashes
    this.#codes = known.codes
  }

  static at(pin: Pin): NodeState {
    return new NodeState(pin, { accounts: new Map(), slots: new Map(), blockHashes: new Map(), codes: new Map() })
  }

  account(address: bigint): Account | null | undefined {
    return this.#accounts.get(address)
  }

  storage(address: bigint, slot: bigint): bigint | undefined {
    return this.#slots.get(address)?.get(slot)
  }

  code(_address: bigint, codeHash: bigint): Code | undefined {
    return this.#codes.get(codeHash)
  }

  blockHash(height: number): bigint | undefined {
    return height === this.pin.height ? BigInt(this.pin.hash) : this.#blockHashes.get(height)
  }

  /** Whether more is cached than the limits allow: a call that reads the balances of a million holders caches them all. */
  isOver({ accounts, slots, codeBytes }: KnownLimits): boolean {
    const sum = <T>(items: Iterable<T>, sizeOf: (item: T) => number) => {
      let total = 0
      for (const item of items) total += sizeOf(item)
      return total
    }
    return (
      this.#accounts.size > accounts ||
      sum(this.#slots.values(), (values) => values.size) > slots ||
      sum(this.#codes.values(), ({ bytes }) => bytes.length) > codeBytes
    )
  }

  /**
   * The state after a later block that changed only this. Storage that did not change is shared between the two: what either learns of
   * it holds for both.
   */
  movedTo(pin: Pin, { accounts, wiped, slots, codes }: StateChanges): NodeState {
    const moved = new Map(this.#slots)
    for (const address of wiped) moved.delete(address)
    for (const [address, values] of slots) moved.set(address, mapWith(moved.get(address) ?? [], values))
    return new NodeState(pin, {
      accounts: mapWith(this.#accounts, accounts),
      slots: moved,
      blockHashes: new Map(
        [...this.#blockHashes, [this.pin.height, BigInt(this.pin.hash)] as const].slice(-MAX_BLOCK_HASHES),
      ),
      codes: mapWith(this.#codes, codes),
    })
  }

  /** Fetches what was missed, in one exchange. */
  async fetch(ask: AskNode, misses: Partial<Misses>, signal: AbortSignal): Promise<void> {
    const questions = [
      ...Array.from(misses.accounts ?? [], (address) => this.#accountQuestion(address)),
      // The code of an account is fetched with the account; this is the code of an account that came from somewhere else.
      ...Array.from(misses.codes?.keys() ?? [], (address) => this.#accountQuestion(address)),
      ...Array.from(misses.slots ?? []).flatMap(([address, keys]) =>
        Array.from(keys, (key) => this.#slotQuestion(address, key)),
      ),
      ...Array.from(misses.blockHashes ?? [], (height) => this.#blockHashQuestion(height)),
    ]
    const calls = questions.flatMap((question) => question.calls)
    try {
      const answers = await ask(calls, signal)
      const results = calls.map(({ method }, i) => resultOf(method, answers[i]))
      for (const { calls: own, learn } of questions) learn(results.splice(0, own.length))
    } catch (cause) {
      throw new StateUnavailable((cause as Error).message, { cause })
    }
  }

  #accountQuestion(address: bigint): Question {
    const params = [addressToHex(address), { blockHash: this.pin.hash }]
    return {
      calls: ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map((method) => ({ method, params })),
      learn: ([balanceHex, nonceHex, codeHex]) => {
        const [balance, nonce, code] = [fromQuantity(balanceHex!), fromQuantity(nonceHex!), hexToBytes(codeHex!)]
        const codeHash = code.length === 0 ? EMPTY_CODE_HASH : codeHashOf(code)
        const isEmpty = balance === 0n && nonce === 0n && code.length === 0
        this.#accounts.set(address, isEmpty ? null : { balance, nonce, codeHash })
        // Accounts with the same code share one value, so that the code is analysed once.
        if (!this.#codes.has(codeHash)) this.#codes.set(codeHash, toCode(code))
      },
    }
  }

  #slotQuestion(address: bigint, key: bigint): Question {
    const params = [addressToHex(address), wordToHex(key), { blockHash: this.pin.hash }]
    return {
      calls: [{ method: 'eth_getStorageAt', params }],
      learn: ([value]) => {
        const slots = this.#slots.get(address) ?? new Map<bigint, bigint>()
        this.#slots.set(address, slots.set(key, hexToWord(value!)))
      },
    }
  }

  #blockHashQuestion(height: number): Question {
    return {
      calls: [{ method: 'eth_getBlockByNumber', params: [toQuantity(height), false] }],
      learn: ([hash]) => void this.#blockHashes.set(height, hexToWord(hash!)),
    }
  }
}

export type KnownLimits = { readonly accounts: number; readonly slots: number; readonly codeBytes: number }

/** BLOCKHASH can ask for no older ones. */
const MAX_BLOCK_HASHES = 256

type Known = {
  readonly accounts: Map<bigint, Account | null>
  readonly slots: Map<bigint, Map<bigint, bigint>>
  readonly blockHashes: Map<number, bigint>
  readonly codes: Map<bigint, Code>
}

type Question = { readonly calls: readonly NodeCall[]; learn(results: readonly string[]): void }

function resultOf(method: string, answer: NodeAnswer | undefined): string {
  if (answer === undefined) throw new Error(`${method}: no answer`)
  if (answer.type === 'refused') throw new Error(`${method}: ${answer.message} (${answer.code})`)
  if (typeof answer.result === 'string') return answer.result
  return hashOf(asObject(answer.result, 'block'), 'hash')
}

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

/** A copy with the later entries in it; no list of all entries is built in between. */
export function mapWith<K, V>(earlier: Iterable<readonly [K, V]>, later: ReadonlyMap<K, V>): Map<K, V> {
  const map = new Map(earlier)
  for (const [key, value] of later) map.set(key, value)
  return map
}
