// A slice of a block that is being built. Its transactions are only those it adds; its totals describe the whole block so far, so every
// flashblock has a header and a hash, like a block.

import { bytesToHex, type Hex } from '../bytes/hex.ts'
import { EMPTY_LIST_HASH } from '../bytes/keccak.ts'
import { EMPTY_REQUESTS_HASH, type Header, headerHash } from './header.ts'
import type { Receipt } from './receipt.ts'
import type { RecoveredTransaction } from './recovered-transaction.ts'

export type Flashblock = {
  /** Identifies one build attempt; another attempt at the same height has another id. */
  readonly payloadId: Hex
  /** Counted from 0 within the build attempt. */
  readonly index: number
  readonly height: number
  /** Index 0 only. */
  readonly base: FlashblockBase | null
  readonly totals: FlashblockTotals
  /** Only those that this flashblock adds. */
  readonly transactions: readonly RecoveredTransaction[]
  /** Where one of them is of a type that is not known: all of them as bytes. Then `transactions` is empty, and nothing can be served. */
  readonly undecoded?: readonly RawTransaction[] | undefined
  /** Receipts of `transactions`, in their order; null if the feed does not send them. */
  readonly receipts: readonly Receipt[] | null
  /** Balances in wei of the accounts that the block has changed so far; empty if the feed does not send them. */
  readonly balances: ReadonlyMap<bigint, bigint>
  /** The accounts and slots that its transactions read, if the feed sends them. */
  readonly touched?: TouchedState | null
}

export type RawTransaction = Pick<RecoveredTransaction, 'raw' | 'hash'>

/** What it adds, decoded or not. */
export function transactionsAddedBy({ transactions, undecoded }: Flashblock): readonly RawTransaction[] {
  return undecoded ?? transactions
}

export type FlashblockPosition = Pick<Flashblock, 'payloadId' | 'height' | 'index'>

export function positionOf({ payloadId, height, index }: Flashblock): FlashblockPosition {
  return { payloadId, height, index }
}

/** Index 0 may begin the next block or any earlier one again; every other index must continue its own payload. */
export function continues(before: FlashblockPosition, position: FlashblockPosition): boolean {
  return position.index === 0
    ? position.height <= before.height + 1
    : position.payloadId === before.payloadId && position.index === before.index + 1
}

export type TouchedState = {
  readonly accounts: ReadonlySet<bigint>
  readonly slots: ReadonlyMap<bigint, ReadonlySet<bigint>>
}

/** The header fields that are known before the first transaction runs. */
export type FlashblockBase = Required<
  Pick<
    Header,
    | 'parentHash'
    | 'miner'
    | 'number'
    | 'gasLimit'
    | 'timestamp'
    | 'extraData'
    | 'mixHash'
    | 'baseFeePerGas'
    | 'parentBeaconBlockRoot'
  >
>

export type FlashblockTotals = Required<
  Pick<Header, 'stateRoot' | 'receiptsRoot' | 'logsBloom' | 'gasUsed' | 'withdrawalsRoot' | 'blobGasUsed'>
> & { readonly blockHash: Hex }

export type FlashblockHeader = {
  readonly header: Header
  /** Whether the header has the block hash that the feed sent. */
  readonly isProven: boolean
}

/** A flashblock with the header of the block up to it. */
export type VerifiedFlashblock = FlashblockHeader & { readonly flashblock: Flashblock }

/** The header of the block so far, with or without the requests hash of Prague: the form that matches the block hash. */
export function flashblockHeader(
  base: FlashblockBase,
  { blockHash, ...totals }: FlashblockTotals,
  transactionsRoot: Hex,
): FlashblockHeader {
  const cancun: Header = { ...base, ...totals, transactionsRoot, ...FIXED_FIELDS }
  const prague: Header = { ...cancun, requestsHash: EMPTY_REQUESTS_HASH }
  if (headerHash(prague) === blockHash) return { header: prague, isProven: true }
  if (headerHash(cancun) === blockHash) return { header: cancun, isProven: true }
  return { header: prague, isProven: false }
}

const FIXED_FIELDS = {
  sha3Uncles: bytesToHex(EMPTY_LIST_HASH),
  difficulty: 0n,
  nonce: '0x0000000000000000',
  excessBlobGas: 0n,
} as const
