// Invented payloads for tests: blocks of deposits, which need no signature, cut into flashblocks whose hashes and roots are right.

import { bytesToHex, type Hex, wordToHex } from '../chain/bytes/hex.ts'
import { keccak256 } from '../chain/bytes/keccak.ts'
import { transactionsRoot } from '../chain/codec/block.ts'
import { bloomOfLogs, unionOfBlooms } from '../chain/codec/bloom.ts'
import { type Flashblock, type FlashblockBase, flashblockHeader } from '../chain/codec/flashblock.ts'
import { type Header, headerHash } from '../chain/codec/header.ts'
import { createReceipt, type Receipt, receiptsRoot } from '../chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import { DEPOSIT } from '../chain/codec/transaction.ts'
import { encodeTransaction } from '../chain/codec/transaction-codec.ts'
import { EMPTY_RESEQUENCER, type Received, type Resequencer, resequence } from '../upstream/feed/resequencer.ts'
import type { CanonicalBlock } from './compare-with-sealed.ts'
import type { LivePendingChain } from './live-pending-chain.ts'
import {
  EMPTY_CHAIN,
  type PendingChain,
  type PendingChainRules,
  type PendingEvent,
  pendingChainAfter,
} from './pending-chain.ts'

export type PayloadPlan = {
  readonly parentHash: Hex
  readonly height: number
  /** Whatever makes it another payload than those at the same height. */
  readonly name: string
  /** Transactions in each flashblock. */
  readonly counts: readonly number[]
  readonly hasStateRoot?: boolean
  readonly hasReceipts?: boolean
}

export type Payload = { readonly flashblocks: readonly Flashblock[]; readonly sealed: CanonicalBlock }

export function makePayload(plan: PayloadPlan): Payload {
  const { parentHash, height, name, counts, hasStateRoot = true, hasReceipts = true } = plan
  const seed = `${parentHash} ${height} ${name}`
  const base: FlashblockBase = {
    parentHash,
    number: height,
    miner: 0x11n,
    gasLimit: 30_000_000n,
    timestamp: 1_700_000_000 + height,
    extraData: new Uint8Array(9),
    mixHash: digest(`${seed} randomness`),
    baseFeePerGas: 7n,
    parentBeaconBlockRoot: digest(`${seed} beacon`),
  }
  const transactions: RecoveredTransaction[] = []
  const receipts: Receipt[] = []
  let header: Header | undefined
  const flashblocks = counts.map((count, index): Flashblock => {
    for (let i = 0; i < count; i++) {
      transactions.push(depositOf(`${seed} ${transactions.length}`))
      receipts.push(receiptAt(receipts.length))
    }
    const realRoot = digest(`${seed} state ${transactions.length}`)
    const totals = {
      stateRoot: hasStateRoot ? realRoot : wordToHex(0n),
      receiptsRoot: receiptsRoot(receipts),
      logsBloom: unionOfBlooms(receipts.map(({ logs }) => bloomOfLogs(logs))),
      gasUsed: BigInt(receipts.length) * GAS,
      withdrawalsRoot: wordToHex(1n),
      blobGasUsed: 0n,
    }
    const root = transactionsRoot(transactions.map(({ raw }) => raw))
    header = flashblockHeader(base, { ...totals, blockHash: '0x' }, root).header
    const blockHash = headerHash(header)
    header = { ...header, stateRoot: realRoot }
    return {
      payloadId: `0x03${digest(seed).slice(2, 16)}`,
      index,
      height,
      base: index === 0 ? base : null,
      totals: { ...totals, blockHash },
      transactions: transactions.slice(transactions.length - count),
      receipts: hasReceipts ? receipts.slice(receipts.length - count) : null,
      balances: new Map(),
    }
  })
  return { flashblocks, sealed: sealedBlock(header!, transactions, receipts) }
}

export function sealedBlock(
  header: Header,
  transactions: readonly { readonly hash: Hex }[],
  receipts: readonly Receipt[],
): CanonicalBlock {
  return {
    hash: headerHash(header),
    header,
    transactions,
    receipts: receipts.map((receipt) => ({ receipt })),
  }
}

/** A block of the canonical chain to build on. */
export function groundAt(height: number, name = 'ground'): CanonicalBlock {
  return makePayload({ parentHash: digest(`before ${name}`), height, name, counts: [1] }).sealed
}

const GAS = 21_000n

function digest(text: string): Hex {
  return bytesToHex(keccak256(new TextEncoder().encode(text)))
}

function depositOf(seed: string): RecoveredTransaction {
  const transaction = {
    type: DEPOSIT,
    sourceHash: digest(seed),
    from: 0xf0n,
    to: 0x70n,
    mint: 0n,
    value: 0n,
    gasLimit: GAS,
    isSystemTx: false,
    data: new Uint8Array(),
  }
  const raw = encodeTransaction(transaction)
  return { transaction, raw, hash: bytesToHex(keccak256(raw)), from: transaction.from }
}

function receiptAt(index: number): Receipt {
  return createReceipt({
    type: DEPOSIT,
    status: 1,
    cumulativeGasUsed: BigInt(index + 1) * GAS,
    logs: Array.from({ length: index % 3 }, (_, i) => ({
      address: 0x70n,
      topics: [BigInt(i)],
      data: Uint8Array.of(index),
    })),
    depositNonce: BigInt(index),
    depositReceiptVersion: 1n,
  })
}
/** The pending chain with the resequencer in front of it, as the server runs them. */
export type ResequencedChain = PendingChain & { readonly resequencer: Resequencer<Received> }
export type FeedOrChainEvent = PendingEvent | ({ readonly type: 'flashblock' } & Received)

export const EMPTY_RESEQUENCED_CHAIN: ResequencedChain = { ...EMPTY_CHAIN, resequencer: EMPTY_RESEQUENCER }

/** Takes flashblocks as upstreams deliver them, in any order. The same object where the event changes nothing. */
export function resequencedChainAfter(
  rules: PendingChainRules,
  chain: ResequencedChain,
  event: FeedOrChainEvent,
): ResequencedChain {
  const { resequencer } = chain
  if (event.type === 'flashblock') {
    const { state, items } = resequence(resequencer, { type: 'flashblock', received: event })
    const grown = items
      .filter((item) => item.type === 'payload')
      .reduce<PendingChain>((before, item) => pendingChainAfter(rules, before, item), chain)
    return grown === chain && state.payloads === resequencer.payloads ? chain : { ...grown, resequencer: state }
  }
  const next = pendingChainAfter(rules, chain, event)
  if (next === chain) return chain
  if (event.type !== 'canonical') return { ...next, resequencer }
  const { height } = next.canonical!
  return { ...next, resequencer: resequence(resequencer, { type: 'canonical', height }).state }
}

/** Puts a resequencer before a pending chain in operation. */
export function resequencedInto(pendingChain: Pick<LivePendingChain, 'take'>): (received: Received) => void {
  let resequencer: Resequencer<Received> = EMPTY_RESEQUENCER
  return (received) => {
    const { state, items } = resequence(resequencer, { type: 'flashblock', received })
    resequencer = state
    for (const item of items) if (item.type === 'payload') pendingChain.take(item)
  }
}
