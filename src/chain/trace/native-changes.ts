// Computes how a block changes native balances: value of successful calls, fees, mints of deposits, withdrawals, destroyed contracts.
// The result is exact if the call frames are complete. It does not contain the rewards of mined blocks (before the merge).

import { DEPOSIT, type Transaction } from '../codec/transaction.ts'
import type { Withdrawal } from '../codec/withdrawal.ts'
import { type FeeBlock, type FeeFacts, feeOf, feeReceivers } from '../rules/fee-split.ts'
import type { CallFrame } from './call-frame.ts'

export type ChangedTransaction = {
  readonly transaction: Transaction
  readonly from: bigint
  readonly fees: FeeFacts
  /** The outermost call; null if there was none, as for a deposit that failed before it began. */
  readonly frame: CallFrame | null
}

export type ChangedBlock = FeeBlock & {
  /** Since Cancun a contract is destroyed only in the transaction that created it (EIP-6780). */
  readonly isCancun: boolean
  readonly transactions: readonly ChangedTransaction[]
  readonly withdrawals: readonly Withdrawal[]
}

/** Maps every address that took part to the change of its balance in wei, which may be zero. */
export function nativeChanges(block: ChangedBlock): Map<bigint, bigint> {
  const changes = new BalanceChanges()
  for (const { transaction, from, fees, frame } of block.transactions) {
    if (transaction.type === DEPOSIT) changes.add(from, transaction.mint)
    if (frame !== null) moveValues(changes, frame, block.isCancun)
    if (transaction.type !== DEPOSIT) {
      changes.add(from, -feeOf(fees))
      for (const [receiver, wei] of feeReceivers(fees, block)) changes.add(receiver, wei)
    }
    changes.endTransaction()
  }
  for (const { address, amountGwei } of block.withdrawals) changes.add(address, amountGwei * WEI_PER_GWEI)
  return changes.byAddress
}

const WEI_PER_GWEI = 1_000_000_000n

/** Walks in the order of execution. A failed call undoes everything that happened inside it. */
function moveValues(changes: BalanceChanges, frame: CallFrame, isCancun: boolean): void {
  if (frame.error !== null) return
  const { type, from, to, value } = frame
  switch (type) {
    case 'create':
    case 'create2':
      changes.created.add(to!)
      changes.move(from, to!, value)
      break
    case 'call':
      changes.move(from, to!, value)
      break
    case 'selfdestruct':
      changes.move(from, to!, value)
      if (!isCancun || changes.created.has(from)) changes.destroy(from, from === to ? value : 0n)
      break
    // These kinds transfer no value.
    case 'callcode':
    case 'delegatecall':
    case 'staticcall':
      break
  }
  for (const call of frame.calls) moveValues(changes, call, isCancun)
}

class BalanceChanges {
  readonly byAddress = new Map<bigint, bigint>()
  /** Contracts that this transaction created. */
  readonly created = new Set<bigint>()
  /** Contracts that this transaction destroyed, with the wei they received since. It is lost when the transaction ends. */
  readonly #lost = new Map<bigint, bigint>()

  add(address: bigint, wei: bigint): void {
    this.byAddress.set(address, (this.byAddress.get(address) ?? 0n) + wei)
    if (this.#lost.size === 0) return
    const lost = this.#lost.get(address)
    if (lost !== undefined) this.#lost.set(address, lost + wei)
  }

  move(from: bigint, to: bigint, wei: bigint): void {
    this.add(from, -wei)
    this.add(to, wei)
  }

  /** `sentToItself` is burnt. */
  destroy(address: bigint, sentToItself: bigint): void {
    if (!this.#lost.has(address)) this.#lost.set(address, sentToItself)
  }

  endTransaction(): void {
    for (const [address, wei] of this.#lost) this.byAddress.set(address, this.byAddress.get(address)! - wei)
    this.#lost.clear()
    this.created.clear()
  }
}
