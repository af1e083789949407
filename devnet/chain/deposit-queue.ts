// Deposits that somebody made on L1 and that the next block has to begin with.
import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import type { DepositAnswer, DepositRequest } from './chain.ts'
import { ATTRIBUTES_GAS, userDeposit } from './deposits.ts'
import type { L1Origin } from './l1-origin.ts'

const MAX_QUEUED_DEPOSITS = 1_000

export class DepositQueue {
  readonly #gasLimit: bigint
  #queue: RecoveredTransaction[] = []
  /** Where all that wait were made. */
  #l1: L1Origin | null = null
  #count = 0

  /** Of a block. */
  constructor(gasLimit: bigint) {
    this.#gasLimit = gasLimit
  }

  /** Of the L1 block that the next block has to name; undefined where it does not matter. */
  get l1Number(): number | undefined {
    return this.#l1?.number
  }

  /** `height` is that of the block that will hold it; `l1` is where it is made, unless others wait already. */
  add(request: DepositRequest, { height, l1 }: { height: number; l1: L1Origin }): DepositAnswer {
    if (this.#queue.length >= MAX_QUEUED_DEPOSITS) return { type: 'refused', message: 'too many deposits wait' }
    if (request.gasLimit > this.#gasLimit - ATTRIBUTES_GAS)
      return { type: 'refused', message: 'exceeds block gas limit' }
    // Never the same again, not even after a restart: what waited at this height is either in a block or gone by then.
    const index = height * MAX_QUEUED_DEPOSITS + (this.#count++ % MAX_QUEUED_DEPOSITS)
    this.#l1 ??= l1
    const deposit = userDeposit(request, { l1BlockHash: this.#l1.hash, index })
    this.#queue.push(deposit)
    return { type: 'queued', hash: deposit.hash }
  }

  /** In order, until `include` says no: the rest waits for the next block. */
  take(include: (deposit: RecoveredTransaction) => boolean): void {
    const firstLeft = this.#queue.findIndex((deposit) => !include(deposit))
    this.#queue = firstLeft === -1 ? [] : this.#queue.slice(firstLeft)
    if (firstLeft === -1) this.#l1 = null
  }

  putBack(deposits: readonly RecoveredTransaction[]): void {
    this.#queue.unshift(...deposits)
  }
}
