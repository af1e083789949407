// A slice of a block that is being built. What it adds is its own; its totals are of the whole block so far, so that every flashblock
// has a header and a hash like a block.

import { bytesToHex, type Hex } from '../bytes/hex.ts'
import { EMPTY_LIST_HASH } from '../bytes/keccak.ts'
import { EMPTY_REQUESTS_HASH, type Header, headerHash } from './header.ts'
import type { Receipt } from './receipt.ts'
import type { RecoveredTransaction } from './recovered-transaction.ts'

export type Flashblock = {
  /** One build attempt; another one at the same height has another id. */
  readonly payloadId: Hex
  /** Counted from 0 within the build attempt. */
  readonly index: number
  readonly height: number
  /** Index 0 only. */
  readonly base: FlashblockBase | null
  readonly totals: FlashblockTotals
  /** The new ones only. */
  readonly transactions: readonly RecoveredTransaction[]
  /** Of the new transactions, in their order; null where the feed leaves them out. */
  readonly receipts: readonly Receipt[] | null
  /** Wei by address, of what the block changed so far; empty where the feed leaves them out. */
  readonly balances: ReadonlyMap<bigint, bigint>
  /** What its transactions look at, where the feed tells. */
  readonly touched?: TouchedState | null
}

export type TouchedState = {
  readonly accounts: ReadonlySet<bigint>
  readonly slots: ReadonlyMap<bigint, ReadonlySet<bigint>>
}

/** What is known before the first transaction runs. */
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
  /** Whether the header gives the hash that the feed tells. */
  readonly isProven: boolean
}

/** The header of the block so far; with the requests hash of Prague or without, whichever gives the hash. */
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
