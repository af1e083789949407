// What a world state stores of one address and of one slot: the current values, and the marks of the current transaction. Marks are not
// cleared when a transaction ends: they are valid only while `transaction` is the current one, and the first access in a new one resets them.
import { type Code, EMPTY_CODE, EMPTY_CODE_HASH } from './code.ts'
import type { Account, StateChanges } from './state-source.ts'

export type AccountRecord = {
  readonly address: bigint
  exists: boolean
  nonce: bigint
  balance: bigint
  codeHash: bigint
  /** Undefined until it is read. */
  code: Code | undefined
  readonly slots: Map<bigint, SlotRecord>
  /** The storage of the source is no longer visible: the account was created or destroyed in this world. */
  hidesSource: boolean
  transient: Map<bigint, bigint> | undefined

  transaction: number
  warm: boolean
  touched: boolean
  created: boolean
  destroyed: boolean

  /** The account as the layer below knows it. Changes are relative to it. */
  settled: Account | null
  wiped: boolean
  readonly unsettledSlots: Set<SlotRecord>
}

export type SlotRecord = {
  readonly key: bigint
  value: bigint
  transaction: number
  warm: boolean
  /** The value when the transaction began. EIP-2200 compares with it. */
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

/** Collects what changed relative to the layer below, and marks the new values as settled. */
export function takeChanges(records: Set<AccountRecord>): StateChanges {
  const accounts = new Map<bigint, Account | null>()
  const wiped = new Set<bigint>()
  const slots = new Map<bigint, Map<bigint, bigint>>()
  const codes = new Map<bigint, Code>()
  for (const record of records) {
    if (!isSettled(record)) {
      const isNewCode = record.codeHash !== record.settled?.codeHash
      record.settled = accountOf(record)
      accounts.set(record.address, record.settled)
      if (isNewCode && record.code !== undefined && record.code.bytes.length > 0) {
        codes.set(record.codeHash, record.code)
      }
    }
    if (record.wiped) wiped.add(record.address)
    record.wiped = false
    const changed = takeChangedSlots(record)
    if (changed.size > 0) slots.set(record.address, changed)
  }
  records.clear()
  return { accounts, wiped, slots, codes }
}

function takeChangedSlots(record: AccountRecord): Map<bigint, bigint> {
  const changed = new Map<bigint, bigint>()
  for (const slot of record.unsettledSlots) {
    if (slot.value === slot.settled) continue
    changed.set(slot.key, slot.value)
    slot.settled = slot.value
  }
  record.unsettledSlots.clear()
  return changed
}
