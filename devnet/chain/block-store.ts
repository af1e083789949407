// All canonical blocks, found by height, by hash and by transaction hash. The newest are in memory, the others in the log.

import { LRUCache } from 'lru-cache'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { BLOOM_BYTES } from '../../src/chain/codec/bloom.ts'
import type { StateChanges } from '../../src/evm/state/state-source.ts'
import {
  decodeChainBlock,
  decodeHead,
  type EncodedRecord,
  encodeBlockRecord,
  encodeRewindRecord,
  type RecordHead,
} from './chain-record.ts'
import { HashIndex, PREFIX_BYTES } from './hash-index.ts'
import type { ChainBlock } from './included-transaction.ts'
import type { Protocol } from './protocol.ts'
import type { RecordLog } from './record-log.ts'

/** The newest blocks stay in memory, up to about this many transactions. */
const RECENT_BLOCKS = 256
const RECENT_TRANSACTIONS = 10_000
/** Older blocks that were read recently. */
const REREAD_BLOCKS = 32

export class BlockStore {
  readonly #protocol: Protocol
  readonly #log: RecordLog
  readonly #genesis: ChainBlock
  /** By height; the genesis block is in no record. */
  readonly #locations: { readonly hash: Hex; readonly position: number }[]
  readonly #blooms = new BloomShelf()
  readonly #heights = new HashIndex()
  readonly #transactionHeights = new HashIndex()
  readonly #recent = new Map<number, ChainBlock>()
  readonly #reread = new LRUCache<number, ChainBlock>({ max: REREAD_BLOCKS })
  #recentTransactions = 0

  constructor(protocol: Protocol, log: RecordLog, genesis: ChainBlock) {
    this.#protocol = protocol
    this.#log = log
    this.#genesis = genesis
    this.#locations = [{ hash: genesis.hash, position: -1 }]
    this.#heights.set(genesis.hash, 0)
    this.#blooms.set(0, genesis.header.logsBloom)
  }

  get headNumber(): number {
    return this.#locations.length - 1
  }

  /** The block is in the file when this returns. */
  append(block: ChainBlock, changes: StateChanges): EncodedRecord {
    const record = encodeBlockRecord(block, changes)
    this.add(record)
    this.#remember(block)
    return record
  }

  /** Removes the blocks above `number`; `changes` lead to the state after it. */
  rewind(number: number, changes: StateChanges): EncodedRecord {
    const record = encodeRewindRecord(number, changes)
    this.add(record)
    return record
  }

  /** Puts a record into the log and indexes it. */
  add({ head, body }: EncodedRecord): RecordHead {
    const decoded = decodeHead(head)
    this.enter(decoded, this.#log.append(head, body))
    return decoded
  }

  /** Indexes a record that is in the log already. */
  enter(head: RecordHead, position: number): void {
    this.#forgetAbove(head.type === 'rewind' ? head.number : head.number - 1)
    if (head.type === 'rewind') return
    const { number, hash, bloom, transactionPrefixes } = head
    this.#locations.push({ hash, position })
    this.#heights.set(hash, number)
    this.#blooms.set(number, bloom)
    const view = new DataView(transactionPrefixes.buffer, transactionPrefixes.byteOffset)
    for (let at = 0; at < transactionPrefixes.length; at += PREFIX_BYTES) {
      this.#transactionHeights.setPrefix(view.getUint32(at), view.getUint32(at + 4), number)
    }
  }

  /** Where in the log the block is. */
  positionOf(number: number): number {
    return this.#locations[number]!.position
  }

  hashOf(number: number): Hex | null {
    return this.#locations[number]?.hash ?? null
  }

  bloomOf(number: number): Uint8Array | null {
    return number in this.#locations ? this.#blooms.get(number) : null
  }

  byNumber(number: number): ChainBlock | null {
    if (number === 0) return this.#genesis
    const location = this.#locations[number]
    if (location === undefined) return null
    const known = this.#recent.get(number) ?? this.#reread.get(number)
    if (known !== undefined) return known
    const block = decodeChainBlock(this.#protocol, this.#log.bodyAt(location.position))
    this.#reread.set(number, block)
    return block
  }

  byHash(hash: Hex): ChainBlock | null {
    const number = this.#heights.get(hash)
    return number === null || this.hashOf(number) !== hash ? null : this.byNumber(number)
  }

  findTransaction(hash: Hex): { block: ChainBlock; index: number } | null {
    const number = this.#transactionHeights.get(hash)
    const block = number === null ? null : this.byNumber(number)
    const index = block?.transactions.findIndex(({ recovered }) => recovered.hash === hash) ?? -1
    return block === null || index === -1 ? null : { block, index }
  }

  #remember(block: ChainBlock): void {
    this.#recent.set(block.header.number, block)
    this.#recentTransactions += block.transactions.length
    for (const [number, oldest] of this.#recent) {
      const isTooMuch = this.#recent.size > RECENT_BLOCKS || this.#recentTransactions > RECENT_TRANSACTIONS
      if (!isTooMuch || this.#recent.size === 1) return
      this.#recent.delete(number)
      this.#recentTransactions -= oldest.transactions.length
    }
  }

  #forgetAbove(number: number): void {
    for (let gone = this.headNumber; gone > number; gone--) {
      this.#recentTransactions -= this.#recent.get(gone)?.transactions.length ?? 0
      this.#recent.delete(gone)
      this.#reread.delete(gone)
    }
    this.#locations.length = Math.min(this.#locations.length, number + 1)
  }
}

/** Stores the blooms in large arrays, because a million small arrays would need more memory than their content. */
class BloomShelf {
  readonly #boards: Uint8Array[] = []

  get(number: number): Uint8Array {
    const at = (number % BLOOMS_PER_BOARD) * BLOOM_BYTES
    return this.#boards[Math.floor(number / BLOOMS_PER_BOARD)]!.subarray(at, at + BLOOM_BYTES)
  }

  set(number: number, bloom: Uint8Array): void {
    this.#boards[Math.floor(number / BLOOMS_PER_BOARD)] ??= new Uint8Array(BLOOMS_PER_BOARD * BLOOM_BYTES)
    this.get(number).set(bloom)
  }
}

const BLOOMS_PER_BOARD = 1024
