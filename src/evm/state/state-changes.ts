// Tells what records changed against the layer below, and takes the new values as settled.
import { type AccountRecord, accountOf, isSettled } from './account-record.ts'
import type { Account, StateChanges } from './state-source.ts'

export function takeChanges(records: Set<AccountRecord>): StateChanges {
  const accounts = new Map<bigint, Account | null>()
  const wiped = new Set<bigint>()
  const slots = new Map<bigint, Map<bigint, bigint>>()
  const codes = new Map<bigint, Uint8Array>()
  for (const record of records) {
    if (!isSettled(record)) {
      const isNewCode = record.codeHash !== record.settled?.codeHash
      record.settled = accountOf(record)
      accounts.set(record.address, record.settled)
      if (isNewCode && record.code !== undefined && record.code.bytes.length > 0) {
        codes.set(record.codeHash, record.code.bytes)
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
