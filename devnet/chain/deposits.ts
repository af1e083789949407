// Deposits: the one that opens every block and tells it about L1, and those that somebody made on L1.

import { bigintToBytes, bytesToHex, concatBytes, type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import { type RecoveredTransaction, recoverTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { DEPOSIT, type DepositTransaction } from '../../src/chain/codec/transaction.ts'
import { encodeTransaction } from '../../src/chain/codec/transaction-codec.ts'
import { L1_ATTRIBUTES_DEPOSITOR, L1_BLOCK } from '../../src/chain/rules/addresses.ts'
import type { DepositRequest } from './chain.ts'
import { encodeAttributes, type L1Origin } from './l1-origin.ts'
import type { Protocol } from './protocol.ts'

export function attributesDeposit(protocol: Protocol, origin: L1Origin): RecoveredTransaction {
  return toRecovered({
    sourceHash: sourceHash(ATTRIBUTES_DOMAIN, origin.hash, origin.sequenceNumber),
    from: L1_ATTRIBUTES_DEPOSITOR,
    to: L1_BLOCK,
    mint: 0n,
    value: 0n,
    gasLimit: ATTRIBUTES_GAS,
    data: encodeAttributes(protocol, origin),
  })
}

export function isAttributes({ from }: RecoveredTransaction): boolean {
  return from === L1_ATTRIBUTES_DEPOSITOR
}

/** No two deposits of the same L1 block may have the same log index: it makes their hashes differ. */
export function userDeposit(request: DepositRequest, log: { l1BlockHash: Hex; index: number }): RecoveredTransaction {
  return toRecovered({ ...request, sourceHash: sourceHash(USER_DOMAIN, log.l1BlockHash, log.index) })
}

const USER_DOMAIN = 0n
const ATTRIBUTES_DOMAIN = 1n
/** What the first transaction of every block sets aside. */
export const ATTRIBUTES_GAS = 1_000_000n

function sourceHash(domain: bigint, l1BlockHash: Hex, number: number): Hex {
  const inner = keccak256(concatBytes(hexToBytes(l1BlockHash), bigintToBytes(BigInt(number), 32)))
  return bytesToHex(keccak256(concatBytes(bigintToBytes(domain, 32), inner)))
}

function toRecovered(deposit: Omit<DepositTransaction, 'type' | 'isSystemTx'>): RecoveredTransaction {
  return recoverTransaction(encodeTransaction({ ...deposit, type: DEPOSIT, isSystemTx: false }))
}
