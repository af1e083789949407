// A transaction together with its bytes, hash and sender, which execution, lists and relaying all need.
import { bytesToHex, type Hex } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { isLowS, recoverAddress, signHash } from '../bytes/secp256k1.ts'
import { DEPOSIT, type SignedTransaction, type Transaction, type Unsigned } from './transaction.ts'
import { decodeTransaction, encodeTransaction, signingHash } from './transaction-codec.ts'

export type RecoveredTransaction = {
  readonly transaction: Transaction
  /** The canonical bytes, as in the block; the hash is computed from them. */
  readonly raw: Uint8Array
  readonly hash: Hex
  readonly from: bigint
}

export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature'
}

/** Throws `RlpError` on malformed bytes and `InvalidSignature` if the signature gives no sender. */
export function recoverTransaction(raw: Uint8Array): RecoveredTransaction {
  return withSender(decodeTransaction(raw), raw)
}

export function signTransaction(unsigned: Unsigned, privateKey: Uint8Array): RecoveredTransaction {
  const signature = signHash(signingHash(unsigned), privateKey)
  const transaction = { ...unsigned, signature } as SignedTransaction
  return withSender(transaction, encodeTransaction(transaction))
}

/** Null if the signature gives no sender or breaks EIP-2. */
export function senderOf(transaction: Transaction): bigint | null {
  if (transaction.type !== DEPOSIT && !isLowS(transaction.signature.s)) return null
  return frontierSenderOf(transaction)
}

/** The same without EIP-2: before Homestead a high s was valid. */
export function frontierSenderOf(transaction: Transaction): bigint | null {
  if (transaction.type === DEPOSIT) return transaction.from
  return recoverAddress(signingHash(transaction), transaction.signature)
}

function withSender(transaction: Transaction, raw: Uint8Array): RecoveredTransaction {
  const hash = bytesToHex(keccak256(raw))
  const from = senderOf(transaction)
  if (from === null) throw new InvalidSignature(`no sender recovered from the signature of ${hash}`)
  return { transaction, raw, hash, from }
}
