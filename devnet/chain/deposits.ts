// Deposit transactions: the attributes deposit that starts every block and carries L1 data, the one after it that carries the milliseconds
// of the block's time on a chain with rules of its own, and user deposits from L1.

import { bigintToBytes, bytesToHex, concatBytes, type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import { type RecoveredTransaction, recoverTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { DEPOSIT, type DepositTransaction } from '../../src/chain/codec/transaction.ts'
import { encodeTransaction } from '../../src/chain/codec/transaction-codec.ts'
import { BASE_TIME } from '../../src/chain/rpc/block-time.ts'
import { L1_ATTRIBUTES_DEPOSITOR, L1_BLOCK } from '../../src/chain/rules/addresses.ts'
import { callOf } from '../contracts/calldata.ts'
import type { DepositAnswer, DepositRequest } from './chain.ts'
import { encodeAttributes, type L1Origin } from './l1-origin.ts'
import type { Protocol } from './protocol.ts'

export function attributesDeposit(protocol: Protocol, origin: L1Origin): RecoveredTransaction {
  return toRecovered({
    sourceHash: sourceHash(ATTRIBUTES_DOMAIN, origin.hash, origin.sequenceNumber),
    from: L1_ATTRIBUTES_DEPOSITOR,
    to: L1_BLOCK,
    mint: 0n,
    value: 0n,
    gasLimit: SYSTEM_GAS,
    data: encodeAttributes(protocol, origin),
  })
}

/** The time of the block, in milliseconds after the second of its header. */
export function timeDeposit(origin: L1Origin, milliseconds: number): RecoveredTransaction {
  return toRecovered({
    sourceHash: sourceHash(TIME_DOMAIN, origin.hash, origin.sequenceNumber),
    from: L1_ATTRIBUTES_DEPOSITOR,
    to: BASE_TIME,
    mint: 0n,
    value: 0n,
    gasLimit: SYSTEM_GAS,
    data: hexToBytes(callOf('BaseTime', 'setMilliseconds', [BigInt(milliseconds)])),
  })
}

/** Made by the sequencer itself: attributes, and the time. */
export function isSystemDeposit({ from }: RecoveredTransaction): boolean {
  return from === L1_ATTRIBUTES_DEPOSITOR
}

/** Deposits of the same L1 block need different log indexes, or they would have the same hash. */
export function userDeposit(request: DepositRequest, log: { l1BlockHash: Hex; index: number }): RecoveredTransaction {
  return toRecovered({ ...request, sourceHash: sourceHash(USER_DOMAIN, log.l1BlockHash, log.index) })
}

const USER_DOMAIN = 0n
const ATTRIBUTES_DOMAIN = 1n
/** The OP Stack uses 0 to 3. */
const TIME_DOMAIN = 4n
/** Gas limit of a system deposit. */
const SYSTEM_GAS = 1_000_000n

function sourceHash(domain: bigint, l1BlockHash: Hex, number: number): Hex {
  const inner = keccak256(concatBytes(hexToBytes(l1BlockHash), bigintToBytes(BigInt(number), 32)))
  return bytesToHex(keccak256(concatBytes(bigintToBytes(domain, 32), inner)))
}

function toRecovered(deposit: Omit<DepositTransaction, 'type' | 'isSystemTx'>): RecoveredTransaction {
  return recoverTransaction(encodeTransaction({ ...deposit, type: DEPOSIT, isSystemTx: false }))
}

const MAX_QUEUED_DEPOSITS = 1_000

export class DepositQueue {
  readonly #maxGas: bigint
  #queue: RecoveredTransaction[] = []
  /** The L1 block of all queued deposits. */
  #l1: L1Origin | null = null
  #count = 0

  /** Before user deposits, every block has one system deposit or two. */
  constructor({ gasLimit, ownRules }: Pick<Protocol, 'gasLimit' | 'ownRules'>) {
    this.#maxGas = gasLimit - (ownRules ? 2n : 1n) * SYSTEM_GAS
  }

  /** The L1 block that the next block must name as its origin; undefined if any will do. */
  get l1Number(): number | undefined {
    return this.#l1?.number
  }

  /** `height` is the height of the block that will include the deposit. `l1` is its L1 block, unless other deposits wait already. */
  add(request: DepositRequest, { height, l1 }: { height: number; l1: L1Origin }): DepositAnswer {
    if (this.#queue.length >= MAX_QUEUED_DEPOSITS) return { type: 'refused', message: 'too many deposits wait' }
    if (request.gasLimit > this.#maxGas) return { type: 'refused', message: 'exceeds block gas limit' }
    // The index is never reused, not even after a restart: a deposit that waited at this height is by then included or lost.
    const index = height * MAX_QUEUED_DEPOSITS + (this.#count++ % MAX_QUEUED_DEPOSITS)
    this.#l1 ??= l1
    const deposit = userDeposit(request, { l1BlockHash: this.#l1.hash, index })
    this.#queue.push(deposit)
    return { type: 'queued', hash: deposit.hash }
  }

  /** Takes deposits in order until `include` returns false; the rest waits for the next block. */
  take(include: (deposit: RecoveredTransaction) => boolean): void {
    const firstLeft = this.#queue.findIndex((deposit) => !include(deposit))
    this.#queue = firstLeft === -1 ? [] : this.#queue.slice(firstLeft)
    if (firstLeft === -1) this.#l1 = null
  }

  putBack(deposits: readonly RecoveredTransaction[]): void {
    this.#queue.unshift(...deposits)
  }
}
