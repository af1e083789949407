// Blocks, transactions and receipts in their JSON-RPC format, as every full node returns them.

import { addressToHex, bytesToHex, type Hex, toQuantity, wordToHex } from '../bytes/hex.ts'
import type { Header } from '../codec/header.ts'
import type { Log } from '../codec/log.ts'
import type { Receipt } from '../codec/receipt.ts'
import type { RecoveredTransaction } from '../codec/recovered-transaction.ts'
import { ACCESS_LIST, BLOB, DEPOSIT, LEGACY, SET_CODE, type SignedTransaction } from '../codec/transaction.ts'
import { legacyV } from '../codec/transaction-codec.ts'
import type { Withdrawal } from '../codec/withdrawal.ts'
import { GAS_PER_BLOB } from '../rules/blob-fee.ts'
import { effectiveGasPrice, maxFeePerGasOf } from '../rules/transaction-fees.ts'
import type { OpFeeName, RpcBlock, RpcHeader, RpcLog, RpcReceipt, RpcTransaction } from './types.ts'

/** The block of a transaction, and its index there. */
export type TransactionLocation = {
  readonly blockHash: Hex
  readonly blockNumber: number
  readonly blockTimestamp: number
  readonly transactionIndex: number
  /** Zero before London. */
  readonly baseFeePerGas: bigint
}

/** The transaction of a log, and its index in the block. */
export type LogLocation = Omit<TransactionLocation, 'baseFeePerGas'> & {
  readonly transactionHash: Hex
  readonly logIndex: number
}

export function blockToRpc(block: {
  header: Header
  hash: Hex
  /** Bytes of the encoded block. */
  size: number
  transactions: readonly Hex[] | readonly RpcTransaction[]
  uncles?: readonly Hex[]
  withdrawals?: readonly Withdrawal[] | undefined
}): RpcBlock {
  const { header, hash, size, transactions, uncles = [], withdrawals } = block
  return {
    ...headerToRpc(header, hash),
    size: toQuantity(size),
    uncles,
    transactions,
    ...(withdrawals && { withdrawals: withdrawals.map(withdrawalToRpc) }),
  }
}

export function headerToRpc(header: Header, hash: Hex): RpcHeader {
  return {
    hash,
    parentHash: header.parentHash,
    sha3Uncles: header.sha3Uncles,
    miner: addressToHex(header.miner),
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: bytesToHex(header.logsBloom),
    difficulty: toQuantity(header.difficulty),
    number: toQuantity(header.number),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    extraData: bytesToHex(header.extraData),
    mixHash: header.mixHash,
    nonce: header.nonce,
    ...(header.baseFeePerGas !== undefined && { baseFeePerGas: toQuantity(header.baseFeePerGas) }),
    ...(header.withdrawalsRoot !== undefined && { withdrawalsRoot: header.withdrawalsRoot }),
    ...(header.blobGasUsed !== undefined && { blobGasUsed: toQuantity(header.blobGasUsed) }),
    ...(header.excessBlobGas !== undefined && { excessBlobGas: toQuantity(header.excessBlobGas) }),
    ...(header.parentBeaconBlockRoot !== undefined && { parentBeaconBlockRoot: header.parentBeaconBlockRoot }),
    ...(header.requestsHash !== undefined && { requestsHash: header.requestsHash }),
  }
}

/** `location` is null for a transaction in the pool. `receipt` has the nonce of a deposit, which the deposit itself does not contain. */
export function transactionToRpc(
  { transaction, hash, from }: RecoveredTransaction,
  location: TransactionLocation | null,
  receipt?: Receipt,
): RpcTransaction {
  const shared = {
    blockHash: location?.blockHash ?? null,
    blockNumber: location === null ? null : toQuantity(location.blockNumber),
    blockTimestamp: location === null ? null : toQuantity(location.blockTimestamp),
    transactionIndex: location === null ? null : toQuantity(location.transactionIndex),
    hash,
    type: toQuantity(transaction.type),
    from: addressToHex(from),
    to: transaction.to === null ? null : addressToHex(transaction.to),
    gas: toQuantity(transaction.gasLimit),
    gasPrice: toQuantity(
      location === null ? maxFeePerGasOf(transaction) : effectiveGasPrice(transaction, location.baseFeePerGas),
    ),
    value: toQuantity(transaction.value),
    input: bytesToHex(transaction.data),
  }
  if (transaction.type !== DEPOSIT) {
    return { ...shared, nonce: toQuantity(transaction.nonce), ...signedFields(transaction) }
  }
  return {
    ...shared,
    nonce: toQuantity(receipt?.depositNonce ?? 0n),
    sourceHash: transaction.sourceHash,
    mint: toQuantity(transaction.mint),
    ...(transaction.isSystemTx && { isSystemTx: true }),
    ...NO_SIGNATURE,
    ...(receipt?.depositReceiptVersion !== undefined && {
      depositReceiptVersion: toQuantity(receipt.depositReceiptVersion),
    }),
  }
}

export function receiptToRpc(
  { transaction, hash, from }: RecoveredTransaction,
  receipt: Receipt,
  execution: TransactionLocation & {
    gasUsed: bigint
    contractAddress: bigint | null
    /** Index in the block of the receipt's first log. */
    firstLogIndex: number
    /** Blob transactions. */
    blobBaseFee?: bigint
    /** OP chains, all but deposits. */
    opFees?: Readonly<Partial<Record<OpFeeName, bigint>>>
  },
): RpcReceipt {
  const logLocation = { ...execution, transactionHash: hash }
  return {
    transactionHash: hash,
    transactionIndex: toQuantity(execution.transactionIndex),
    blockHash: execution.blockHash,
    blockNumber: toQuantity(execution.blockNumber),
    from: addressToHex(from),
    to: transaction.to === null ? null : addressToHex(transaction.to),
    contractAddress: execution.contractAddress === null ? null : addressToHex(execution.contractAddress),
    type: toQuantity(transaction.type),
    ...(receipt.root !== undefined ? { root: receipt.root } : { status: toQuantity(receipt.status ?? 0) }),
    gasUsed: toQuantity(execution.gasUsed),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(effectiveGasPrice(transaction, execution.baseFeePerGas)),
    logs: receipt.logs.map((log, i) => logToRpc(log, { ...logLocation, logIndex: execution.firstLogIndex + i })),
    logsBloom: bytesToHex(receipt.logsBloom),
    ...(transaction.type === BLOB && {
      blobGasUsed: toQuantity(GAS_PER_BLOB * BigInt(transaction.blobVersionedHashes.length)),
      blobGasPrice: toQuantity(execution.blobBaseFee ?? 1n),
    }),
    ...(receipt.depositNonce !== undefined && { depositNonce: toQuantity(receipt.depositNonce) }),
    ...(receipt.depositReceiptVersion !== undefined && {
      depositReceiptVersion: toQuantity(receipt.depositReceiptVersion),
    }),
    ...opFeesToRpc(execution.opFees ?? {}),
  }
}

export function logToRpc(log: Log, location: LogLocation): RpcLog {
  return {
    address: addressToHex(log.address),
    topics: log.topics.map(wordToHex),
    data: bytesToHex(log.data),
    blockHash: location.blockHash,
    blockNumber: toQuantity(location.blockNumber),
    blockTimestamp: toQuantity(location.blockTimestamp),
    transactionHash: location.transactionHash,
    transactionIndex: toQuantity(location.transactionIndex),
    logIndex: toQuantity(location.logIndex),
    removed: false,
  }
}

/** OP nodes return zeros for the missing signature of a deposit. */
const NO_SIGNATURE = { v: '0x0', r: '0x0', s: '0x0' } as const

function signedFields(transaction: SignedTransaction) {
  const { r, s, yParity } = transaction.signature
  const rs = { r: toQuantity(r), s: toQuantity(s) }
  if (transaction.type === LEGACY) {
    const { chainId } = transaction
    return { ...rs, v: toQuantity(legacyV(transaction)), ...(chainId !== null && { chainId: toQuantity(chainId) }) }
  }
  return {
    ...rs,
    v: toQuantity(yParity),
    yParity: toQuantity(yParity),
    chainId: toQuantity(transaction.chainId),
    accessList: transaction.accessList.map(({ address, storageKeys }) => ({
      address: addressToHex(address),
      storageKeys: storageKeys.map(wordToHex),
    })),
    ...(transaction.type !== ACCESS_LIST && {
      maxFeePerGas: toQuantity(transaction.maxFeePerGas),
      maxPriorityFeePerGas: toQuantity(transaction.maxPriorityFeePerGas),
    }),
    ...(transaction.type === BLOB && {
      maxFeePerBlobGas: toQuantity(transaction.maxFeePerBlobGas),
      blobVersionedHashes: transaction.blobVersionedHashes.map(wordToHex),
    }),
    ...(transaction.type === SET_CODE && {
      authorizationList: transaction.authorizationList.map(({ chainId, address, nonce, signature }) => ({
        chainId: toQuantity(chainId),
        address: addressToHex(address),
        nonce: toQuantity(nonce),
        yParity: toQuantity(signature.yParity),
        r: toQuantity(signature.r),
        s: toQuantity(signature.s),
      })),
    }),
  }
}

function withdrawalToRpc({ index, validatorIndex, address, amountGwei }: Withdrawal) {
  return {
    index: toQuantity(index),
    validatorIndex: toQuantity(validatorIndex),
    address: addressToHex(address),
    amount: toQuantity(amountGwei),
  }
}

function opFeesToRpc(fees: Readonly<Partial<Record<OpFeeName, bigint>>>): { [name in OpFeeName]?: Hex } {
  return Object.fromEntries(Object.entries(fees).map(([name, fee]) => [name, toQuantity(fee)]))
}
