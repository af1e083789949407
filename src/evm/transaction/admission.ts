// Decides whether a signed transaction may be executed in this block on this state. Changes nothing.

import {
  ACCESS_LIST,
  BLOB,
  FEE_MARKET,
  LEGACY,
  SET_CODE,
  type SignedTransaction,
} from '../../chain/codec/transaction.ts'
import { GAS_PER_BLOB } from '../../chain/rules/blob-fee.ts'
import type { Rules } from '../../chain/rules/forks.ts'
import { accessListOf, maxFeePerGasOf, maxPriorityFeePerGasOf } from '../../chain/rules/transaction-fees.ts'
import type { BlockEnv } from '../core/block-env.ts'
import { MAX_NONCE, transactionGasCap } from '../core/gas.ts'
import { EMPTY_CODE } from '../state/code.ts'
import { delegateOf } from '../state/delegation.ts'
import type { WorldState } from '../state/world-state.ts'
import { type UpfrontGasInput, upfrontGasRefusal } from './intrinsic-gas.ts'
import { addressDetail, codeHashDetail, type Refusal, refuse } from './refusal.ts'

export type Admission = {
  readonly world: WorldState
  readonly block: BlockEnv
  readonly transaction: SignedTransaction
  readonly from: bigint
  /** Gas that the block has left. */
  readonly gasAvailable: bigint
  /** The highest fee that an OP chain can charge besides gas. */
  readonly rollupFee: bigint
}

export function refusalOf(admission: Admission): Refusal | null {
  return (
    refusalOfType(admission) ??
    refusalOfSender(admission) ??
    refusalOfGas(admission) ??
    refusalOfFees(admission) ??
    refusalOfBlobs(admission) ??
    refusalOfDelegations(admission) ??
    refusalOfFunds(admission)
  )
}

export function blobGasOf(transaction: SignedTransaction): bigint {
  return transaction.type === BLOB ? GAS_PER_BLOB * BigInt(transaction.blobVersionedHashes.length) : 0n
}

function upfrontOf(transaction: SignedTransaction): UpfrontGasInput {
  return {
    to: transaction.to,
    data: transaction.data,
    accessList: accessListOf(transaction),
    authorizationCount: transaction.type === SET_CODE ? transaction.authorizationList.length : 0,
  }
}

/** EIP-7594. */
const OSAKA_BLOBS_PER_TRANSACTION = 6
const BLOB_HASH_VERSION = 1n

function refusalOfType({ transaction, block: { rules, chainId } }: Admission): Refusal | null {
  if (!isTypeActive(rules, transaction.type)) return refuse('unsupportedType')
  if (transaction.chainId === null || transaction.chainId === chainId) return null
  return refuse('wrongChainId', `have ${transaction.chainId} want ${chainId}`)
}

function isTypeActive(rules: Rules, type: SignedTransaction['type']): boolean {
  switch (type) {
    case LEGACY:
      return true
    case ACCESS_LIST:
      return rules.berlin
    case FEE_MARKET:
      return rules.london
    case BLOB:
      return rules.cancun && !rules.op
    case SET_CODE:
      return rules.prague
  }
}

function refusalOfSender({ world, block, transaction: { nonce }, from }: Admission): Refusal | null {
  const sender = world.record(from)
  const nonces = `${addressDetail(from)}, tx: ${nonce} state: ${sender.nonce}`
  if (nonce < sender.nonce) return refuse('nonceTooLow', nonces)
  if (nonce > sender.nonce) return refuse('nonceTooHigh', nonces)
  if (nonce === MAX_NONCE) return refuse('nonceOverflow', `${addressDetail(from)}, nonce: ${nonce}`)
  // EIP-3607: an account with code cannot send, unless the code is a delegation (EIP-7702).
  const code = world.codeOf(sender)
  if (code === EMPTY_CODE || (block.rules.prague && delegateOf(code) !== null)) return null
  return refuse('senderNotEoa', `${addressDetail(from)}, ${codeHashDetail(sender.codeHash)}`)
}

function refusalOfGas({ block: { rules }, transaction, gasAvailable }: Admission): Refusal | null {
  const { gasLimit } = transaction
  const cap = transactionGasCap(rules)
  if (cap !== null && gasLimit > cap) return refuse('gasLimitTooHigh', `cap: ${cap}, tx: ${gasLimit}`)
  if (gasLimit > gasAvailable) return refuse('gasLimitReached')
  return upfrontGasRefusal(rules, upfrontOf(transaction), gasLimit)
}

function refusalOfFees({ block, transaction, from }: Admission): Refusal | null {
  if (!block.rules.london) return null
  const feeCap = maxFeePerGasOf(transaction)
  const tip = maxPriorityFeePerGasOf(transaction)
  if (tip > feeCap) {
    return refuse('tipAboveFeeCap', `${addressDetail(from)}, maxPriorityFeePerGas: ${tip}, maxFeePerGas: ${feeCap}`)
  }
  if (feeCap >= block.baseFee) return null
  return refuse('feeCapTooLow', `${addressDetail(from)}, maxFeePerGas: ${feeCap}, baseFee: ${block.baseFee}`)
}

function refusalOfBlobs({ block, transaction, from }: Admission): Refusal | null {
  if (transaction.type !== BLOB) return null
  const hashes = transaction.blobVersionedHashes
  const most = Math.min(block.rules.blobs?.max ?? 0, block.rules.osaka ? OSAKA_BLOBS_PER_TRANSACTION : Infinity)
  if (transaction.to === null) return refuse('blobCreation')
  if (hashes.length === 0) return refuse('noBlobs')
  if (hashes.length > most) return refuse('tooManyBlobs', `have ${hashes.length}, permitted ${most}`)
  if (hashes.some((hash) => hash >> 248n !== BLOB_HASH_VERSION)) return refuse('blobHashVersion')
  if (transaction.maxFeePerBlobGas >= block.blobBaseFee) return null
  const fees = `blobGasFeeCap: ${transaction.maxFeePerBlobGas}, blobBaseFee: ${block.blobBaseFee}`
  return refuse('blobFeeCapTooLow', `${addressDetail(from)} ${fees}`)
}

function refusalOfDelegations({ transaction }: Admission): Refusal | null {
  if (transaction.type !== SET_CODE) return null
  if (transaction.to === null) return refuse('setCodeCreation')
  return transaction.authorizationList.length === 0 ? refuse('noAuthorizations') : null
}

function refusalOfFunds({ world, transaction, from, rollupFee }: Admission): Refusal | null {
  const { balance } = world.record(from)
  const blobFee = transaction.type === BLOB ? blobGasOf(transaction) * transaction.maxFeePerBlobGas : 0n
  const needed = transaction.gasLimit * maxFeePerGasOf(transaction) + transaction.value + blobFee + rollupFee
  if (balance >= needed) return null
  return refuse('insufficientFunds', `${addressDetail(from)} have ${balance} want ${needed}`)
}
