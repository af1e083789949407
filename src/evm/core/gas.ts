// Gas costs that depend on the fork and on more than the operation. They are plain numbers, which are exact far beyond any block's limit.
import { ETHEREUM_FORKS, type EthereumFork, type Rules, rulesOfFork } from '../../chain/rules/forks.ts'

export type GasSchedule = {
  readonly expByte: number
  /** EIP-2929: the surcharge for the first access to an account or slot. */
  readonly coldAccount: number
  readonly coldSlot: number
  /** EIP-7702: the cost of looking up a warm delegate. */
  readonly warmAccess: number
  readonly selfDestructRefund: number
  readonly refundQuotient: number
  readonly storage: StorageGas
}

export type StorageGas = {
  /** EIP-1283 and later: a write is priced against the value at the start of the transaction. */
  readonly isNet: boolean
  /** EIP-2200: a frame with no more gas than a call stipend must not write. */
  readonly guard: number
  readonly noop: number
  readonly set: number
  readonly reset: number
  readonly clearRefund: number
}

export function gasScheduleFor(rules: Rules): GasSchedule {
  return SCHEDULES[rules.fork]
}

export const CALL_VALUE_GAS = 9000
export const CALL_STIPEND = 2300
export const NEW_ACCOUNT_GAS = 25000
export const COPY_WORD_GAS = 3
export const KECCAK_WORD_GAS = 6
export const INITCODE_WORD_GAS = 2
export const LOG_BYTE_GAS = 8
export const CODE_DEPOSIT_BYTE_GAS = 200
export const MAX_CODE_SIZE = 24576
export const MAX_INITCODE_SIZE = 2 * MAX_CODE_SIZE
export const MAX_CALL_DEPTH = 1024
export const MAX_NONCE = (1n << 64n) - 1n

/** EIP-7825. Deposits of the OP Stack are not limited: they must be included whatever gas they ask for. */
const TRANSACTION_GAS_CAP = 1n << 24n

/** The most gas that a signed transaction may ask for, or null where only the block limits it. */
export function transactionGasCap(rules: Rules): bigint | null {
  return rules.osaka ? TRANSACTION_GAS_CAP : null
}

/** A call gets no more gas than a transaction could: what succeeds as a call must be able to succeed when it is sent. */
export function atMostTransactionGas(rules: Rules, gas: bigint): bigint {
  const cap = transactionGasCap(rules)
  return cap === null || gas < cap ? gas : cap
}

export function memoryGas(words: number): number {
  return 3 * words + Math.floor((words * words) / 512)
}

/** EIP-150: a frame can give its children all but a sixty-fourth of its gas. */
export function allButOneSixtyFourth(gas: number): number {
  return gas - Math.floor(gas / 64)
}

function makeSchedule(rules: Rules): GasSchedule {
  return {
    expByte: rules.spuriousDragon ? 50 : 10,
    coldAccount: rules.berlin ? 2500 : 0,
    coldSlot: rules.berlin ? 2000 : 0,
    warmAccess: rules.berlin ? 100 : 0,
    selfDestructRefund: rules.london ? 0 : 24000,
    refundQuotient: rules.london ? 5 : 2,
    storage: storageGas(rules),
  }
}

function storageGas(rules: Rules): StorageGas {
  if (rules.london) return { isNet: true, guard: 2300, noop: 100, set: 20000, reset: 2900, clearRefund: 4800 }
  if (rules.berlin) return { isNet: true, guard: 2300, noop: 100, set: 20000, reset: 2900, clearRefund: 15000 }
  if (rules.istanbul) return { isNet: true, guard: 2300, noop: 800, set: 20000, reset: 5000, clearRefund: 15000 }
  const isNet = rules.constantinople && !rules.petersburg
  return { isNet, guard: 0, noop: 200, set: 20000, reset: 5000, clearRefund: 15000 }
}

const SCHEDULES = Object.fromEntries(ETHEREUM_FORKS.map((fork) => [fork, makeSchedule(rulesOfFork(fork))])) as Readonly<
  Record<EthereumFork, GasSchedule>
>
