// The state as transactions read and change it: a journaled layer over a source. A world is itself a source, so worlds can be stacked: the
// chain's state, the open block, one call that is discarded. Every change adds a step to the journal that undoes it. A world caches what
// it has read, so its source must not change.
import type { Log } from '../../chain/codec/log.ts'
import {
  type AccountRecord,
  accountOf,
  isEmpty,
  recordOf,
  resetMarks,
  resetSlotMarks,
  type SlotRecord,
  slotOf,
  takeChanges,
} from './account-record.ts'
import { type Code, codeHashOf, EMPTY_CODE, toCode } from './code.ts'
import { MissLog } from './miss-log.ts'
import type { Account, Misses, StateChanges, StateSource } from './state-source.ts'

/** A length of the journal, to revert to. */
export type Checkpoint = number

export class WorldState implements StateSource {
  logs: Log[] = []
  refund = 0

  readonly #source: StateSource
  readonly #records = new Map<bigint, AccountRecord>()
  readonly #journal: (() => void)[] = []
  readonly #missLog = new MissLog()
  readonly #unsettled = new Set<AccountRecord>()
  #transaction = 1
  #touched: AccountRecord[] = []
  #destroyed: AccountRecord[] = []

  constructor(source: StateSource) {
    this.#source = source
  }

  // Reading

  record(address: bigint): AccountRecord {
    const record = this.#records.get(address) ?? this.#load(address)
    if (record.transaction !== this.#transaction) resetMarks(record, this.#transaction)
    return record
  }

  slot(record: AccountRecord, key: bigint): SlotRecord {
    const slot = record.slots.get(key) ?? this.#loadSlot(record, key)
    if (slot.transaction !== this.#transaction) resetSlotMarks(slot, this.#transaction)
    return slot
  }

  codeOf(record: AccountRecord): Code {
    if (record.code !== undefined) return record.code
    const code = this.#source.code(record.address, record.codeHash)
    if (code === undefined) {
      this.#missLog.code(record)
      return EMPTY_CODE
    }
    record.code = code
    return code
  }

  hashOfBlock(number: number): bigint {
    const hash = this.#source.blockHash(number)
    if (hash === undefined) this.#missLog.blockHash(number)
    return hash ?? 0n
  }

  /** Whether a contract must not be created here. EIP-7610: storage counts, besides code and nonce. */
  isOccupied(record: AccountRecord): boolean {
    if (record.nonce !== 0n || this.codeOf(record) !== EMPTY_CODE) return true
    return !record.hidesSource && this.#source.hasStorage?.(record.address) === true
  }

  // Changing

  setBalance(record: AccountRecord, balance: bigint): void {
    this.touch(record)
    const previous = record.balance
    if (previous === balance) return
    record.balance = balance
    this.#journal.push(() => {
      record.balance = previous
    })
  }

  setNonce(record: AccountRecord, nonce: bigint): void {
    this.touch(record)
    const previous = record.nonce
    record.nonce = nonce
    this.#journal.push(() => {
      record.nonce = previous
    })
  }

  setCode(record: AccountRecord, bytes: Uint8Array): void {
    this.touch(record)
    const { code, codeHash } = record
    record.code = toCode(bytes)
    record.codeHash = codeHashOf(bytes)
    this.#journal.push(() => {
      record.code = code
      record.codeHash = codeHash
    })
  }

  setSlot(record: AccountRecord, slot: SlotRecord, value: bigint): void {
    const previous = slot.value
    slot.value = value
    record.unsettledSlots.add(slot)
    this.#unsettled.add(record)
    this.#journal.push(() => {
      slot.value = previous
    })
  }

  transientSlot(record: AccountRecord, key: bigint): bigint {
    return record.transient?.get(key) ?? 0n
  }

  setTransientSlot(record: AccountRecord, key: bigint, value: bigint): void {
    record.transient ??= new Map()
    const slots = record.transient
    const previous = slots.get(key) ?? 0n
    slots.set(key, value)
    this.#journal.push(() => slots.set(key, previous))
  }

  /** Makes the account exist. If it is still empty when the transaction ends, EIP-161 removes it again. */
  touch(record: AccountRecord): void {
    if (record.touched) return
    const { exists } = record
    record.touched = true
    record.exists = true
    this.#touched.push(record)
    this.#unsettled.add(record)
    this.#journal.push(() => {
      record.touched = false
      record.exists = exists
      this.#touched.pop()
    })
  }

  markCreated(record: AccountRecord): void {
    const { hidesSource } = record
    record.created = true
    record.hidesSource = true
    this.#journal.push(() => {
      record.created = false
      record.hidesSource = hidesSource
    })
  }

  markDestroyed(record: AccountRecord): void {
    if (record.destroyed) return
    record.destroyed = true
    this.#destroyed.push(record)
    this.#journal.push(() => {
      record.destroyed = false
      this.#destroyed.pop()
    })
  }

  /** Returns true if it was already warm. */
  warm(item: AccountRecord | SlotRecord): boolean {
    if (item.warm) return true
    item.warm = true
    this.#journal.push(() => {
      item.warm = false
    })
    return false
  }

  addRefund(amount: number): void {
    if (amount === 0) return
    this.refund += amount
    this.#journal.push(() => {
      this.refund -= amount
    })
  }

  addLog(log: Log): void {
    this.logs.push(log)
    this.#journal.push(() => this.logs.pop())
  }

  // Reverting and ending

  checkpoint(): Checkpoint {
    return this.#journal.length
  }

  revert(checkpoint: Checkpoint): void {
    while (this.#journal.length > checkpoint) this.#journal.pop()!()
  }

  /** Ends the transaction: destroyed and empty accounts are removed. It cannot be reverted any more. */
  endTransaction(): void {
    for (const record of this.#touched) if (isEmpty(record)) record.exists = false
    this.endTransactionKeepingEmpty()
  }

  /** The same before EIP-161: empty accounts stay. */
  endTransactionKeepingEmpty(): void {
    for (const record of this.#destroyed) this.#wipe(record)
    this.beginTransaction()
  }

  /** Discards the marks, logs and refund of the transaction before. */
  beginTransaction(): void {
    this.#transaction++
    this.#journal.length = 0
    this.#touched = []
    this.#destroyed = []
    this.logs = []
    this.refund = 0
  }

  /** What changed since the last call of this method. */
  takeChanges(): StateChanges {
    return takeChanges(this.#unsettled)
  }

  /**
   * What the source did not know, or null. Removes the placeholders, so that a second run reads again. The changes of the first run are
   * worthless: the caller must revert or discard them.
   */
  takeMisses(): Misses | null {
    return this.#missLog.take((address) => this.#records.delete(address))
  }

  // The source of a world above

  account(address: bigint): Account | null | undefined {
    const record = this.#records.get(address)
    return record === undefined ? this.#source.account(address) : accountOf(record)
  }

  storage(address: bigint, key: bigint): bigint | undefined {
    const record = this.#records.get(address)
    const slot = record?.slots.get(key)
    if (slot !== undefined) return slot.value
    return record?.hidesSource === true ? 0n : this.#source.storage(address, key)
  }

  code(address: bigint, codeHash: bigint): Code | undefined {
    const record = this.#records.get(address)
    if (record?.code !== undefined && record.codeHash === codeHash) return record.code
    return this.#source.code(address, codeHash)
  }

  blockHash(number: number): bigint | undefined {
    return this.#source.blockHash(number)
  }

  hasStorage(address: bigint): boolean {
    return this.#records.get(address)?.hidesSource !== true && this.#source.hasStorage?.(address) === true
  }

  #load(address: bigint): AccountRecord {
    const account = this.#source.account(address)
    if (account === undefined) this.#missLog.account(address)
    const record = recordOf(address, account ?? null)
    this.#records.set(address, record)
    return record
  }

  #loadSlot(record: AccountRecord, key: bigint): SlotRecord {
    const value = record.hidesSource || !record.exists ? 0n : this.#source.storage(record.address, key)
    if (value === undefined) this.#missLog.slot(record, key)
    const slot = slotOf(key, value ?? 0n)
    record.slots.set(key, slot)
    return slot
  }

  #wipe(record: AccountRecord): void {
    Object.assign(record, recordOf(record.address, null), { settled: record.settled })
    record.hidesSource = true
    record.wiped = true
    this.#unsettled.add(record)
  }
}
