// Encodes and signs a planned transaction.

import { bytesToHex, type Hex, hexToAddress, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import { signHash } from '../../src/chain/bytes/secp256k1.ts'
import { signAuthorization } from '../../src/chain/codec/authorization.ts'
import {
  ACCESS_LIST,
  FEE_MARKET,
  LEGACY,
  SET_CODE,
  type SignedTransaction,
  type Unsigned,
} from '../../src/chain/codec/transaction.ts'
import { encodeTransaction, signingHash } from '../../src/chain/codec/transaction-codec.ts'
import { SPONSORED, signSponsored } from '../chain/own-transaction.ts'
import type { Transaction } from './model/transact.ts'

export type Terms = { readonly chainId: bigint; readonly baseFeeWei: bigint }

export function signAction(action: Transaction, terms: Terms): { raw: Hex; hash: Hex } {
  const unsigned = unsignedOf(action, terms)
  if (action.kind === SPONSORED && unsigned.type === FEE_MARKET) {
    const { raw, hash } = signSponsored(unsigned, keyOf(action))
    return { raw: bytesToHex(raw), hash }
  }
  const signature = signHash(signingHash(unsigned), keyOf(action))
  const raw = encodeTransaction({ ...unsigned, signature } as SignedTransaction)
  return { raw: bytesToHex(raw), hash: bytesToHex(keccak256(raw)) }
}

/** The offered fee covers this multiple of the base fee, in case blocks fill up. */
const BASE_FEE_ROOM = 2n

function unsignedOf(action: Transaction, { chainId, baseFeeWei }: Terms): Unsigned {
  const maxFeePerGas = baseFeeWei * BASE_FEE_ROOM + action.tipWei
  const to = action.to === null ? null : hexToAddress(action.to)
  const shared = {
    chainId,
    nonce: BigInt(action.nonce),
    gasLimit: BigInt(action.gas),
    to,
    value: action.value,
    data: hexToBytes(action.data),
  }
  const dynamicFees = { maxFeePerGas, maxPriorityFeePerGas: action.tipWei, accessList: [] }
  switch (action.kind) {
    case 0:
      return { ...shared, type: LEGACY, gasPrice: maxFeePerGas }
    case 1: {
      const accessList = to === null ? [] : [{ address: to, storageKeys: [] }]
      return { ...shared, type: ACCESS_LIST, gasPrice: maxFeePerGas, accessList }
    }
    // Inside, a sponsored transaction is a fee-market one.
    case SPONSORED:
    case 2:
      return { ...shared, ...dynamicFees, type: FEE_MARKET }
    case 4:
      return { ...shared, ...dynamicFees, type: SET_CODE, to: to!, authorizationList: [delegationOf(action, chainId)] }
  }
}

/** The sender authorizes its own account. The transaction has used one nonce by then. */
function delegationOf(action: Transaction, chainId: bigint) {
  const request = { chainId, address: hexToAddress(action.delegateTo!), nonce: BigInt(action.nonce + 1) }
  return signAuthorization(request, keyOf(action))
}

function keyOf({ from }: Transaction) {
  return hexToBytes(from.key)
}
