// The reasons for which a transaction cannot be in a block. The texts are those of geth, which wallets and tests compare.
import { addressToHex, wordToHex } from '../../chain/bytes/hex.ts'

export type Refusal = { readonly type: 'refused'; readonly reason: RefusalReason; readonly message: string }

export type RefusalReason = keyof typeof PREFIXES

export function refuse(reason: RefusalReason, details = ''): Refusal {
  return {
    type: 'refused',
    reason,
    message: details === '' ? PREFIXES[reason] : `${PREFIXES[reason]}: ${details}`,
  }
}

export function addressDetail(address: bigint): string {
  return `address ${addressToHex(address)}`
}
export function codeHashDetail(hash: bigint): string {
  return `codehash: ${wordToHex(hash)}`
}

const PREFIXES = {
  unsupportedType: 'transaction type not supported',
  wrongChainId: 'invalid chain id for signer',
  nonceTooLow: 'nonce too low',
  nonceTooHigh: 'nonce too high',
  nonceOverflow: 'nonce has max value',
  senderNotEoa: 'sender not an eoa',
  gasLimitTooHigh: 'transaction gas limit too high',
  gasLimitReached: 'gas limit reached',
  intrinsicGas: 'intrinsic gas too low',
  floorDataGas: 'insufficient gas for floor data gas cost',
  initCodeTooLong: 'max initcode size exceeded',
  tipAboveFeeCap: 'max priority fee per gas higher than max fee per gas',
  feeCapTooLow: 'max fee per gas less than block base fee',
  insufficientFunds: 'insufficient funds for gas * price + value',
  blobCreation: 'blob transaction of type create',
  noBlobs: 'blob transaction missing blob hashes',
  tooManyBlobs: 'blob transaction has too many blobs',
  blobHashVersion: 'blob has invalid hash version',
  blobFeeCapTooLow: 'max fee per blob gas less than block blob gas fee',
  setCodeCreation: 'EIP-7702 transaction cannot be used to create contract',
  noAuthorizations: 'EIP-7702 transaction with empty auth list',
} as const
