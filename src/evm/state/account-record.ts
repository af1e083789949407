// What a world holds about one address and one slot: the values as they stand, and the marks of the transaction that runs. Marks are
// not cleared when a transaction ends: they count only while `transaction` is the current one, and the first look in a new one resets them.
import { type Code, EMPTY_CODE, EMPTY_CODE_HASH } from './code.ts'
import type { Account } from './state-source.ts'

export type AccountRecord = {
  readonly address: bigint
  exists: boolean
  nonce: bigint
  balance: bigint
  codeHash: bigint
  /** Undefined until somebody asks for it. */
  code: Code | undefined
  readonly slots: Map<bigint, SlotRecord>
  /** The storage below no longer shows through: the account was destroyed in this world. */
  hidesSource: boolean
  transient: Map<bigint, bigint> | undefined

  transaction: number
  warm: boolean
  touched: boolean
  created: boolean
  destroyed: boolean

  /** The account as the layer below knows it, against which changes are told. */
  settled: Account | null
  wiped: boolean
  readonly unsettledSlots: Set<SlotRecord>
}

export type SlotRecord = {
  readonly key: bigint
  value: bigint
  transaction: number
  warm: boolean
  /** The value when the transaction began, which EIP-2200 prices against. */
  original: bigint
  settled: bigint
}

export function recordOf(address: bigint, account: Account | null): AccountRecord {
  return {
    address,
    exists: account !== null,
    nonce: account?.nonce ?? 0n,
    balance: account?.balance ?? 0n,
    codeHash: account?.codeHash ?? EMPTY_CODE_HASH,
    code: account === null || account.codeHash === EMPTY_CODE_HASH ? EMPTY_CODE : undefined,
    slots: new Map(),
    hidesSource: false,
    transient: undefined,
    transaction: 0,
    warm: false,
    touched: false,
    created: false,
    destroyed: false,
    settled: account,
    wiped: false,
    unsettledSlots: new Set(),
  }
}

export function slotOf(key: bigint, value: bigint): SlotRecord {
  return {
    key,
    value,
    transaction: 0,
    warm: false,
    original: value,
    settled: value,
  }
}

export function resetMarks(record: AccountRecord, transaction: number): void {
  record.transaction = transaction
  record.warm = false
  record.touched = false
  record.created = false
  record.destroyed = false
  record.transient = undefined
}

export function resetSlotMarks(slot: SlotRecord, transaction: number): void {
  slot.transaction = transaction
  slot.warm = false
  slot.original = slot.value
}

/** EIP-161: no nonce, no balance, no code. */
export function isEmpty(record: AccountRecord): boolean {
  return record.balance === 0n && record.nonce === 0n && record.codeHash === EMPTY_CODE_HASH
}

export function accountOf(record: AccountRecord): Account | null {
  return record.exists ? { nonce: record.nonce, balance: record.balance, codeHash: record.codeHash } : null
}

export function isSettled(record: AccountRecord): boolean {
  const { settled } = record
  if (settled === null || !record.exists) return (settled === null) === !record.exists
  return settled.nonce === record.nonce && settled.balance === record.balance && settled.codeHash === record.codeHash
}
