// How a block changes native balances: value of calls that held, fees, mints of deposits, withdrawals, destroyed contracts. What comes
// out is exact where the frames are whole; rewards of mined blocks (before the merge) are not in it.

import { DEPOSIT, type Transaction } from '../codec/transaction.ts'
import type { Withdrawal } from '../codec/withdrawal.ts'
import { type FeeBlock, type FeeFacts, feeOf, feeReceivers } from '../rules/fee-split.ts'
import type { CallFrame } from './call-frame.ts'

export type ChangedTransaction = {
  readonly transaction: Transaction
  readonly from: bigint
  readonly fees: FeeFacts
  /** The outermost call; null where none was made, as for a deposit that failed before it began. */
  readonly frame: CallFrame | null
}

export type ChangedBlock = FeeBlock & {
  /** Since Cancun a contract is destroyed only in the transaction that created it (EIP-6780). */
  readonly isCancun: boolean
  readonly transactions: readonly ChangedTransaction[]
  readonly withdrawals: readonly Withdrawal[]
}

/** Every address that took part, with the change of its balance in wei, which may be zero. */
export function nativeChanges(block: ChangedBlock): Map<bigint, bigint> {
  const ledger = new Ledger()
  for (const { transaction, from, fees, frame } of block.transactions) {
    if (transaction.type === DEPOSIT) ledger.add(from, transaction.mint)
    if (frame !== null) moveValues(ledger, frame, block.isCancun)
    if (transaction.type !== DEPOSIT) {
      ledger.add(from, -feeOf(fees))
      for (const [receiver, wei] of feeReceivers(fees, block)) ledger.add(receiver, wei)
    }
    ledger.endTransaction()
  }
  for (const { address, amountGwei } of block.withdrawals) ledger.add(address, amountGwei * WEI_PER_GWEI)
  return ledger.changes
}

const WEI_PER_GWEI = 1_000_000_000n

/** In the order of execution. A failed call takes back all that happened inside it. */
function moveValues(ledger: Ledger, frame: CallFrame, isCancun: boolean): void {
  if (frame.error !== null) return
  const { type, from, to, value } = frame
  switch (type) {
    case 'create':
    case 'create2':
      ledger.created.add(to!)
      ledger.move(from, to!, value)
      break
    case 'call':
      ledger.move(from, to!, value)
      break
    case 'selfdestruct':
      ledger.move(from, to!, value)
      if (!isCancun || ledger.created.has(from)) ledger.destroy(from, from === to ? value : 0n)
      break
    // The others run code in place: their value is only shown to it.
    case 'callcode':
    case 'delegatecall':
    case 'staticcall':
      break
  }
  for (const call of frame.calls) moveValues(ledger, call, isCancun)
}

class Ledger {
  readonly changes = new Map<bigint, bigint>()
  /** Contracts made in this transaction. */
  readonly created = new Set<bigint>()
  /** Contracts destroyed in this transaction, and what has come to them since: it goes with them when the transaction ends. */
  readonly #lost = new Map<bigint, bigint>()

  add(address: bigint, wei: bigint): void {
    this.changes.set(address, (this.changes.get(address) ?? 0n) + wei)
    if (this.#lost.size === 0) return
    const lost = this.#lost.get(address)
    if (lost !== undefined) this.#lost.set(address, lost + wei)
  }

  move(from: bigint, to: bigint, wei: bigint): void {
    this.add(from, -wei)
    this.add(to, wei)
  }

  /** `kept`: what it sent to itself, which is burnt. */
  destroy(address: bigint, kept: bigint): void {
    if (!this.#lost.has(address)) this.#lost.set(address, kept)
  }

  endTransaction(): void {
    for (const [address, wei] of this.#lost) this.changes.set(address, this.changes.get(address)! - wei)
    this.#lost.clear()
    this.created.clear()
  }
}
