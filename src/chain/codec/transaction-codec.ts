// Transactions to and from their canonical bytes.

import { bigintToBytes, bytesToHex, EMPTY_BYTES, type Hex, hexToBytes } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { decodeRlpList, encodeRlp, encodeTyped, RlpError, type RlpInput, type RlpItem } from '../bytes/rlp.ts'
import {
  addressField,
  booleanField,
  bytesField,
  expectFields,
  hashField,
  listField,
  recipientField,
  uint64Field,
  uint256Field,
  wordField,
} from '../bytes/rlp-fields.ts'
import type { Signature } from '../bytes/secp256k1.ts'
import { accessListField, accessListToRlp } from './access-list.ts'
import { authorizationListField, authorizationListToRlp } from './authorization.ts'
import {
  ACCESS_LIST,
  type AccessListTransaction,
  BLOB,
  DEPOSIT,
  type DepositTransaction,
  FEE_MARKET,
  LEGACY,
  type LegacyTransaction,
  SET_CODE,
  type SignedTransaction,
  type Transaction,
  type Unsigned,
} from './transaction.ts'

export function encodeTransaction(transaction: Transaction): Uint8Array {
  switch (transaction.type) {
    case DEPOSIT:
      return encodeTyped(DEPOSIT, depositFields(transaction))
    case LEGACY:
      return encodeRlp([...legacyFields(transaction), legacyV(transaction), ...rsFields(transaction)])
    default:
      return encodeTyped(transaction.type, [
        ...typedFields(transaction),
        transaction.signature.yParity,
        ...rsFields(transaction),
      ])
  }
}

/** Throws `RlpError` on anything but exactly one transaction of a known type. */
export function decodeTransaction(raw: Uint8Array): Transaction {
  const type = raw[0]
  if (type === undefined) throw new RlpError('transaction is empty')
  if (type >= 0xc0) return decodeLegacy(decodeRlpList(raw))
  return decodeTypedFields(type, decodeRlpList(raw.subarray(1)))
}

export function transactionHash(transaction: Transaction): Hex {
  return bytesToHex(keccak256(encodeTransaction(transaction)))
}

/** The hash that the sender signs. */
export function signingHash(transaction: Unsigned): Uint8Array {
  if (transaction.type !== LEGACY) return keccak256(encodeTyped(transaction.type, typedFields(transaction)))
  const { chainId } = transaction
  const fields = legacyFields(transaction)
  return keccak256(encodeRlp(chainId === null ? fields : [...fields, chainId, EMPTY_BYTES, EMPTY_BYTES]))
}

/** EIP-155 encodes the chain id in v; without it, v is 27 or 28. */
export function legacyV({ chainId, signature }: LegacyTransaction): bigint {
  return BigInt(signature.yParity) + (chainId === null ? 27n : 35n + 2n * chainId)
}

/** The inverse of `legacyV`. */
export function splitLegacyV(v: bigint): { chainId: bigint | null; yParity: number } {
  if (v === 27n || v === 28n) return { chainId: null, yParity: Number(v - 27n) }
  if (v < 35n) throw new RlpError(`v of ${v} is neither 27, 28 nor of EIP-155`)
  return { chainId: (v - 35n) >> 1n, yParity: Number((v - 35n) & 1n) }
}

/** Chains have types of their own; the first byte names the type (EIP-2718). */
export function isOfUnknownType(raw: Uint8Array): boolean {
  const type = raw[0]
  return type !== undefined && type < FIRST_BYTE_OF_NO_TYPE && !KNOWN_TYPES.has(type)
}

const FIRST_BYTE_OF_NO_TYPE = 0x80
const KNOWN_TYPES: ReadonlySet<number> = new Set([ACCESS_LIST, FEE_MARKET, BLOB, SET_CODE, DEPOSIT])

/** Decodes the fields of a typed transaction. In the pool form of a blob transaction they are one level deeper. */
export function decodeTypedFields(type: number, fields: RlpItem[]): Transaction {
  switch (type) {
    case ACCESS_LIST:
      return decodeAccessList(fields)
    case FEE_MARKET:
      expectFields(fields, 12, 'transaction')
      return {
        type,
        ...dynamicFeeFields(fields),
        to: recipientField(fields[5], 'to'),
        signature: signatureAt(fields, 9),
      }
    case BLOB:
      expectFields(fields, 14, 'transaction')
      return {
        type,
        ...dynamicFeeFields(fields),
        to: addressField(fields[5], 'to'),
        maxFeePerBlobGas: uint256Field(fields[9], 'maxFeePerBlobGas'),
        blobVersionedHashes: listField(fields[10], 'blobVersionedHashes').map((hash) => wordField(hash, 'blob hash')),
        signature: signatureAt(fields, 11),
      }
    case SET_CODE:
      expectFields(fields, 13, 'transaction')
      return {
        type,
        ...dynamicFeeFields(fields),
        to: addressField(fields[5], 'to'),
        authorizationList: authorizationListField(fields[9]),
        signature: signatureAt(fields, 10),
      }
    case DEPOSIT:
      return decodeDeposit(fields)
    default:
      throw new RlpError(`transaction type 0x${type.toString(16)} is unknown`)
  }
}

function legacyFields(transaction: Unsigned<LegacyTransaction>): RlpInput[] {
  return [
    transaction.nonce,
    transaction.gasPrice,
    transaction.gasLimit,
    recipientBytes(transaction.to),
    transaction.value,
    transaction.data,
  ]
}

function typedFields(transaction: Exclude<Unsigned, { type: typeof LEGACY }>): RlpInput[] {
  const { chainId, nonce, gasLimit, to, value, data, accessList } = transaction
  const fees =
    transaction.type === ACCESS_LIST
      ? [transaction.gasPrice]
      : [transaction.maxPriorityFeePerGas, transaction.maxFeePerGas]
  const shared = [chainId, nonce, ...fees, gasLimit, recipientBytes(to), value, data, accessListToRlp(accessList)]
  switch (transaction.type) {
    case ACCESS_LIST:
    case FEE_MARKET:
      return shared
    case BLOB:
      return [
        ...shared,
        transaction.maxFeePerBlobGas,
        transaction.blobVersionedHashes.map((hash) => bigintToBytes(hash, 32)),
      ]
    case SET_CODE:
      return [...shared, authorizationListToRlp(transaction.authorizationList)]
  }
}

function depositFields(deposit: DepositTransaction): RlpInput[] {
  return [
    hexToBytes(deposit.sourceHash),
    bigintToBytes(deposit.from, 20),
    recipientBytes(deposit.to),
    deposit.mint,
    deposit.value,
    deposit.gasLimit,
    deposit.isSystemTx ? 1 : 0,
    deposit.data,
  ]
}

function rsFields({ signature }: SignedTransaction): RlpInput[] {
  return [signature.r, signature.s]
}

function recipientBytes(to: bigint | null) {
  return to === null ? EMPTY_BYTES : bigintToBytes(to, 20)
}

function decodeLegacy(fields: RlpItem[]): LegacyTransaction {
  expectFields(fields, 9, 'transaction')
  const { chainId, yParity } = splitLegacyV(uint256Field(fields[6], 'v'))
  return {
    type: LEGACY,
    chainId,
    nonce: uint64Field(fields[0], 'nonce'),
    gasPrice: uint256Field(fields[1], 'gasPrice'),
    gasLimit: uint64Field(fields[2], 'gasLimit'),
    to: recipientField(fields[3], 'to'),
    value: uint256Field(fields[4], 'value'),
    data: bytesField(fields[5], 'data'),
    signature: { r: uint256Field(fields[7], 'r'), s: uint256Field(fields[8], 's'), yParity },
  }
}

function decodeAccessList(fields: RlpItem[]): AccessListTransaction {
  expectFields(fields, 11, 'transaction')
  return {
    type: ACCESS_LIST,
    chainId: uint256Field(fields[0], 'chainId'),
    nonce: uint64Field(fields[1], 'nonce'),
    gasPrice: uint256Field(fields[2], 'gasPrice'),
    gasLimit: uint64Field(fields[3], 'gasLimit'),
    to: recipientField(fields[4], 'to'),
    value: uint256Field(fields[5], 'value'),
    data: bytesField(fields[6], 'data'),
    accessList: accessListField(fields[7]),
    signature: signatureAt(fields, 8),
  }
}

/** The fields that types 2, 3 and 4 share. `to` differs: only type 2 may create a contract. */
function dynamicFeeFields(fields: RlpItem[]) {
  return {
    chainId: uint256Field(fields[0], 'chainId'),
    nonce: uint64Field(fields[1], 'nonce'),
    maxPriorityFeePerGas: uint256Field(fields[2], 'maxPriorityFeePerGas'),
    maxFeePerGas: uint256Field(fields[3], 'maxFeePerGas'),
    gasLimit: uint64Field(fields[4], 'gasLimit'),
    value: uint256Field(fields[6], 'value'),
    data: bytesField(fields[7], 'data'),
    accessList: accessListField(fields[8]),
  }
}

function decodeDeposit(fields: RlpItem[]): DepositTransaction {
  expectFields(fields, 8, 'deposit')
  return {
    type: DEPOSIT,
    sourceHash: hashField(fields[0], 'sourceHash'),
    from: addressField(fields[1], 'from'),
    to: recipientField(fields[2], 'to'),
    mint: uint256Field(fields[3], 'mint'),
    value: uint256Field(fields[4], 'value'),
    gasLimit: uint64Field(fields[5], 'gasLimit'),
    isSystemTx: booleanField(fields[6], 'isSystemTx'),
    data: bytesField(fields[7], 'data'),
  }
}

function signatureAt(fields: RlpItem[], at: number): Signature {
  return {
    yParity: booleanField(fields[at], 'yParity') ? 1 : 0,
    r: uint256Field(fields[at + 1], 'r'),
    s: uint256Field(fields[at + 2], 's'),
  }
}
