// EIP-2929: the first access to an account in a transaction costs more. Precompiles are warm from the start.
import type { AccountRecord } from '../state/account-record.ts'
import { type Code, EMPTY_CODE } from '../state/code.ts'
import { delegateOf } from '../state/delegation.ts'
import { charge, type ExecutionFrame } from './execution-frame.ts'

/** Charges the surcharge of a cold account. The operation's own price is already charged. */
export function accessAccount(frame: ExecutionFrame, address: bigint): AccountRecord {
  const { world, gas, precompiles } = frame.machine
  const record = world.record(address)
  if (!record.warm && !precompiles.has(address)) {
    world.warm(record)
    charge(frame, gas.coldAccount)
  }
  return record
}

/** The code that a call to this account runs: its own or, by EIP-7702, its delegate's. The lookup goes one step deep and costs gas. */
export function accessCode(frame: ExecutionFrame, record: AccountRecord): Code {
  const { world, gas, rules } = frame.machine
  const code = world.codeOf(record)
  const delegate = rules.prague ? delegateOf(code) : null
  if (delegate === null) return code
  charge(frame, gas.warmAccess)
  const target = accessAccount(frame, delegate)
  return frame.machine.precompiles.has(delegate) ? EMPTY_CODE : world.codeOf(target)
}
