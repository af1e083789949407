// Parses a transaction of a JSON-RPC answer, completely enough to recompute its bytes and hash.

import { EMPTY_BYTES } from '../bytes/hex.ts'
import type { Signature } from '../bytes/secp256k1.ts'
import { FOREIGN, type ForeignTransaction } from '../codec/foreign-transaction.ts'
import {
  ACCESS_LIST,
  BLOB,
  DEPOSIT,
  FEE_MARKET,
  isTransactionType,
  LEGACY,
  SET_CODE,
  type Transaction,
} from '../codec/transaction.ts'
import { splitLegacyV } from '../codec/transaction-codec.ts'
import {
  addressOf,
  asObject,
  bytesOf,
  hashOf,
  isPresent,
  listOf,
  numberOf,
  quantityOf,
  RpcFieldError,
  type RpcObject,
  recipientOf,
  wordIn,
} from './fields.ts'

/** A transaction of any type: of a type that this program does not know, only what all transactions have. */
export function blockTransactionFromRpc(raw: RpcObject): Transaction | ForeignTransaction {
  const type = typeOf(raw)
  return isTransactionType(type) ? transactionFromRpc(raw) : foreignTransactionFromRpc(raw, type)
}

function typeOf(raw: RpcObject): number {
  return isPresent(raw, 'type') ? numberOf(raw, 'type') : LEGACY
}

/** A chain may leave out a field that has no meaning for its type. */
function foreignTransactionFromRpc(raw: RpcObject, typeNumber: number): ForeignTransaction {
  return {
    type: FOREIGN,
    typeNumber,
    nonce: isPresent(raw, 'nonce') ? quantityOf(raw, 'nonce') : 0n,
    gasLimit: isPresent(raw, 'gas') ? quantityOf(raw, 'gas') : 0n,
    to: recipientOf(raw, 'to'),
    value: isPresent(raw, 'value') ? quantityOf(raw, 'value') : 0n,
    data: isPresent(raw, 'input') ? bytesOf(raw, 'input') : EMPTY_BYTES,
  }
}

export function transactionFromRpc(value: unknown): Transaction {
  const raw = asObject(value, 'transaction')
  const type = typeOf(raw)
  switch (type) {
    case LEGACY: {
      const { chainId, yParity } = splitLegacyV(quantityOf(raw, 'v'))
      const gasPrice = quantityOf(raw, 'gasPrice')
      return {
        type,
        chainId,
        gasPrice,
        ...payloadOf(raw),
        to: recipientOf(raw, 'to'),
        signature: signatureOf(raw, yParity),
      }
    }
    case ACCESS_LIST:
      return {
        type,
        chainId: quantityOf(raw, 'chainId'),
        gasPrice: quantityOf(raw, 'gasPrice'),
        accessList: accessListOf(raw),
        ...payloadOf(raw),
        to: recipientOf(raw, 'to'),
        signature: typedSignatureOf(raw),
      }
    case FEE_MARKET:
      return { type, ...dynamicFeesOf(raw), to: recipientOf(raw, 'to') }
    case BLOB:
      return {
        type,
        ...dynamicFeesOf(raw),
        to: addressOf(raw, 'to'),
        maxFeePerBlobGas: quantityOf(raw, 'maxFeePerBlobGas'),
        blobVersionedHashes: listOf(raw, 'blobVersionedHashes', wordIn),
      }
    case SET_CODE:
      return {
        type,
        ...dynamicFeesOf(raw),
        to: addressOf(raw, 'to'),
        authorizationList: listOf(raw, 'authorizationList', authorizationIn),
      }
    case DEPOSIT:
      return {
        type,
        sourceHash: hashOf(raw, 'sourceHash'),
        from: addressOf(raw, 'from'),
        to: recipientOf(raw, 'to'),
        mint: isPresent(raw, 'mint') ? quantityOf(raw, 'mint') : 0n,
        value: quantityOf(raw, 'value'),
        gasLimit: quantityOf(raw, 'gas'),
        isSystemTx: raw.isSystemTx === true,
        data: bytesOf(raw, 'input'),
      }
    default:
      throw new RpcFieldError(`transaction type 0x${type.toString(16)} is unknown`)
  }
}

function payloadOf(raw: RpcObject) {
  return {
    nonce: quantityOf(raw, 'nonce'),
    gasLimit: quantityOf(raw, 'gas'),
    value: quantityOf(raw, 'value'),
    data: bytesOf(raw, 'input'),
  }
}

function dynamicFeesOf(raw: RpcObject) {
  return {
    chainId: quantityOf(raw, 'chainId'),
    maxFeePerGas: quantityOf(raw, 'maxFeePerGas'),
    maxPriorityFeePerGas: quantityOf(raw, 'maxPriorityFeePerGas'),
    accessList: accessListOf(raw),
    ...payloadOf(raw),
    signature: typedSignatureOf(raw),
  }
}

function accessListOf(raw: RpcObject) {
  return listOf(raw, 'accessList', (value) => {
    const entry = asObject(value, 'access list entry')
    return { address: addressOf(entry, 'address'), storageKeys: listOf(entry, 'storageKeys', wordIn) }
  })
}

function authorizationIn(value: unknown) {
  const raw = asObject(value, 'authorization')
  return {
    chainId: quantityOf(raw, 'chainId'),
    address: addressOf(raw, 'address'),
    nonce: quantityOf(raw, 'nonce'),
    signature: typedSignatureOf(raw),
  }
}

/** Older nodes send the parity only as v. */
function typedSignatureOf(raw: RpcObject) {
  return signatureOf(raw, numberOf(raw, isPresent(raw, 'yParity') ? 'yParity' : 'v'))
}

function signatureOf(raw: RpcObject, yParity: number): Signature {
  return {
    r: quantityOf(raw, 'r'),
    s: quantityOf(raw, 's'),
    yParity,
  }
}
