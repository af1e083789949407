// A transaction with what follows from its bytes: hash and sender. Executing, listing and relaying all need the four together.
import { bytesToHex, type Hex } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { isLowS, recoverAddress, signHash } from '../bytes/secp256k1.ts'
import { DEPOSIT, type SignedTransaction, type Transaction, type Unsigned } from './transaction.ts'
import { decodeTransaction, encodeTransaction, signingHash } from './transaction-codec.ts'

export type RecoveredTransaction = {
  readonly transaction: Transaction
  /** Canonical bytes: what the block holds and the hash is taken of. */
  readonly raw: Uint8Array
  readonly hash: Hex
  readonly from: bigint
}

export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature'
}

/** Throws `RlpError` on malformed bytes and `InvalidSignature` where no sender can be found. */
export function recoverTransaction(raw: Uint8Array): RecoveredTransaction {
  return withSender(decodeTransaction(raw), raw)
}

export function signTransaction(unsigned: Unsigned, privateKey: Uint8Array): RecoveredTransaction {
  const signature = signHash(signingHash(unsigned), privateKey)
  const transaction = { ...unsigned, signature } as SignedTransaction
  return withSender(transaction, encodeTransaction(transaction))
}

/** Null where the signature fits no sender or breaks EIP-2. */
export function senderOf(transaction: Transaction): bigint | null {
  if (transaction.type !== DEPOSIT && !isLowS(transaction.signature.s)) return null
  return frontierSenderOf(transaction)
}

/** Before Homestead high s was allowed. */
export function frontierSenderOf(transaction: Transaction): bigint | null {
  if (transaction.type === DEPOSIT) return transaction.from
  return recoverAddress(signingHash(transaction), transaction.signature)
}

function withSender(transaction: Transaction, raw: Uint8Array): RecoveredTransaction {
  const hash = bytesToHex(keccak256(raw))
  const from = senderOf(transaction)
  if (from === null) throw new InvalidSignature(`no sender fits the signature of ${hash}`)
  return { transaction, raw, hash, from }
}
