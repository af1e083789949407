// Parses blocks and receipts of JSON-RPC answers, so that whoever talks to a node can recompute hashes and roots.

import type { Hex } from '../bytes/hex.ts'
import type { ForeignTransaction } from '../codec/foreign-transaction.ts'
import type { Header } from '../codec/header.ts'
import type { Log } from '../codec/log.ts'
import type { Receipt } from '../codec/receipt.ts'
import { LEGACY, type Transaction } from '../codec/transaction.ts'
import type { Withdrawal } from '../codec/withdrawal.ts'
import { blockTimeMs } from './block-time.ts'
import {
  addressOf,
  asObject,
  bytesOf,
  fixedHexOf,
  hashIn,
  hashOf,
  isPresent,
  listOf,
  numberOf,
  quantityOf,
  wordIn,
} from './fields.ts'
import { blockTransactionFromRpc } from './transaction-from-rpc.ts'
import { type UnknownFields, unknownFields } from './unknown-fields.ts'

export type BlockFromRpc = {
  /** As the node reports it; not yet checked against the header. */
  readonly hash: Hex
  readonly header: Header
  /** The block time. Headers count whole seconds; a chain with several blocks a second reports its milliseconds beside the header. */
  readonly timestampMs: number
  readonly transactions: readonly TransactionFromRpc[]
  readonly uncles: readonly Hex[]
  readonly withdrawals?: readonly Withdrawal[]
  readonly unknownFields: UnknownFields | undefined
}

export type TransactionFromRpc = {
  readonly hash: Hex
  readonly from: bigint
  readonly transaction: Transaction | ForeignTransaction
  readonly unknownFields: UnknownFields | undefined
}

/** The block must contain full transactions, not hashes. */
export function blockFromRpc(value: unknown): BlockFromRpc {
  const raw = asObject(value, 'block')
  const transactions = listOf(raw, 'transactions', transactionInBlock)
  return {
    hash: hashOf(raw, 'hash'),
    header: headerFromRpc(raw),
    timestampMs: blockTimeMs(raw, transactions),
    transactions,
    uncles: listOf(raw, 'uncles', hashIn),
    ...(isPresent(raw, 'withdrawals') && { withdrawals: listOf(raw, 'withdrawals', withdrawalFromRpc) }),
    unknownFields: unknownFields(raw, 'block'),
  }
}

function transactionInBlock(item: unknown): TransactionFromRpc {
  const raw = asObject(item, 'transaction')
  return {
    hash: hashOf(raw, 'hash'),
    from: addressOf(raw, 'from'),
    transaction: blockTransactionFromRpc(raw),
    unknownFields: unknownFields(raw, 'transaction'),
  }
}

export function headerFromRpc(value: unknown): Header {
  const raw = asObject(value, 'header')
  return {
    parentHash: hashOf(raw, 'parentHash'),
    sha3Uncles: hashOf(raw, 'sha3Uncles'),
    miner: addressOf(raw, 'miner'),
    stateRoot: hashOf(raw, 'stateRoot'),
    transactionsRoot: hashOf(raw, 'transactionsRoot'),
    receiptsRoot: hashOf(raw, 'receiptsRoot'),
    logsBloom: bytesOf(raw, 'logsBloom'),
    difficulty: quantityOf(raw, 'difficulty'),
    number: numberOf(raw, 'number'),
    gasLimit: quantityOf(raw, 'gasLimit'),
    gasUsed: quantityOf(raw, 'gasUsed'),
    timestamp: numberOf(raw, 'timestamp'),
    extraData: bytesOf(raw, 'extraData'),
    mixHash: hashOf(raw, 'mixHash'),
    nonce: fixedHexOf(raw, 'nonce', 8),
    ...(isPresent(raw, 'baseFeePerGas') && { baseFeePerGas: quantityOf(raw, 'baseFeePerGas') }),
    ...(isPresent(raw, 'withdrawalsRoot') && { withdrawalsRoot: hashOf(raw, 'withdrawalsRoot') }),
    ...(isPresent(raw, 'blobGasUsed') && { blobGasUsed: quantityOf(raw, 'blobGasUsed') }),
    ...(isPresent(raw, 'excessBlobGas') && { excessBlobGas: quantityOf(raw, 'excessBlobGas') }),
    ...(isPresent(raw, 'parentBeaconBlockRoot') && { parentBeaconBlockRoot: hashOf(raw, 'parentBeaconBlockRoot') }),
    ...(isPresent(raw, 'requestsHash') && { requestsHash: hashOf(raw, 'requestsHash') }),
  }
}

/** The bloom is as the node reports it: compare it with `bloomOfLogs`. */
export function receiptFromRpc(value: unknown): Receipt {
  const raw = asObject(value, 'receipt')
  const type = isPresent(raw, 'type') ? numberOf(raw, 'type') : LEGACY
  return {
    type,
    ...(isPresent(raw, 'status')
      ? { status: quantityOf(raw, 'status') === 1n ? 1 : 0 }
      : { status: null, root: hashOf(raw, 'root') }),
    cumulativeGasUsed: quantityOf(raw, 'cumulativeGasUsed'),
    logs: listOf(raw, 'logs', logFromRpc),
    logsBloom: bytesOf(raw, 'logsBloom'),
    ...(isPresent(raw, 'depositNonce') && { depositNonce: quantityOf(raw, 'depositNonce') }),
    ...(isPresent(raw, 'depositReceiptVersion') && { depositReceiptVersion: quantityOf(raw, 'depositReceiptVersion') }),
  }
}

export function logFromRpc(value: unknown): Log {
  const raw = asObject(value, 'log')
  return { address: addressOf(raw, 'address'), topics: listOf(raw, 'topics', wordIn), data: bytesOf(raw, 'data') }
}

function withdrawalFromRpc(value: unknown): Withdrawal {
  const raw = asObject(value, 'withdrawal')
  return {
    index: quantityOf(raw, 'index'),
    validatorIndex: quantityOf(raw, 'validatorIndex'),
    address: addressOf(raw, 'address'),
    amountGwei: quantityOf(raw, 'amount'),
  }
}
