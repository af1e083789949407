// The newest state for an EVM, as far as it was read from the node: code and storage. Balances and nonces do not matter for finding
// an implementation, so they are constant.
import { addressToHex, type Hex, hexToBytes, hexToWord, wordToHex } from '../../chain/bytes/hex.ts'
import { type Code, codeHashOf, toCode } from '../../evm/state/code.ts'
import type { Account, Misses, StateSource } from '../../evm/state/state-source.ts'
import { RpcRefusal } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'

export type ReadNode = Pick<Node, 'batch'>

export class NodeState implements StateSource {
  readonly #accounts = new Map<bigint, Account | null>()
  readonly #codes = new Map<bigint, Code>()
  readonly #slots = new Map<string, bigint>()
  /** How many reads had no answer yet. */
  missCount = 0

  constructor(address: bigint, code: Uint8Array) {
    this.#addCode(address, code)
  }

  account(address: bigint): Account | null | undefined {
    return this.#countMiss(this.#accounts.get(address))
  }

  code(_address: bigint, codeHash: bigint): Code | undefined {
    return this.#countMiss(this.#codes.get(codeHash))
  }

  storage(address: bigint, slot: bigint): bigint | undefined {
    return this.#countMiss(this.#slots.get(`${address}:${slot}`))
  }

  /** No implementation depends on the hash of a block. */
  blockHash(): bigint {
    return 0n
  }

  /** The slots of an account that were read, with their values. */
  *slotsOf(address: bigint): Generator<readonly [slot: bigint, value: bigint]> {
    for (const [key, value] of this.#slots) {
      const [owner, slot] = key.split(':')
      if (owner === String(address)) yield [BigInt(slot!), value]
    }
  }

  hasCode(address: bigint): boolean {
    const account = this.#accounts.get(address)
    return account !== undefined && account !== null && (this.#codes.get(account.codeHash)?.bytes.length ?? 0) > 0
  }

  /** Adds an account that does not exist, so that the node is not asked for it. */
  addEmptyAccount(address: bigint): void {
    if (!this.#accounts.has(address)) this.#accounts.set(address, null)
  }

  async fetch(node: ReadNode, { accounts, slots }: Misses): Promise<void> {
    const codeOf = [...accounts]
    const slotOf = [...slots].flatMap(([address, keys]) => [...keys].map((key) => [address, key] as const))
    const answers = await node.batch([
      ...codeOf.map((address) => ({ method: 'eth_getCode', params: [addressToHex(address), 'latest'] })),
      ...slotOf.map(([address, key]) => ({
        method: 'eth_getStorageAt',
        params: [addressToHex(address), wordToHex(key), 'latest'],
      })),
    ])
    const results = answers.map((answer) => {
      if (answer.type === 'refused') throw new RpcRefusal('reading state', answer)
      return answer.result as Hex
    })
    for (const [i, address] of codeOf.entries()) this.#addCode(address, hexToBytes(results[i]!))
    for (const [i, [address, key]] of slotOf.entries()) {
      this.#slots.set(`${address}:${key}`, hexToWord(results[codeOf.length + i]!))
    }
  }

  #addCode(address: bigint, code: Uint8Array): void {
    const codeHash = codeHashOf(code)
    this.#accounts.set(address, { nonce: 1n, balance: 0n, codeHash })
    this.#codes.set(codeHash, toCode(code))
  }

  #countMiss<T>(value: T | undefined): T | undefined {
    if (value === undefined) this.missCount++
    return value
  }
}
