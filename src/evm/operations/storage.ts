// Storage, and transient storage (EIP-1153).

import { charge, type ExecutionFrame, popWords } from '../core/execution-frame.ts'
import type { StorageGas } from '../core/gas.ts'
import { REENTRANCY_SENTRY, WRITE_PROTECTION, WRITE_PROTECTION_IN_PRICE } from '../core/halt.ts'
import type { SlotRecord } from '../state/account-record.ts'
import { type Operation, operation } from './operation.ts'

export const storage: readonly Operation[] = [
  operation(
    0x54,
    'SLOAD',
    { gas: { frontier: 50, tangerineWhistle: 200, istanbul: 800, berlin: 100 }, inputs: 1, outputs: 1 },
    (frame) => {
      const { stack, machine } = frame
      const top = frame.stackSize - 1
      const slot = machine.world.slot(frame.self, stack[top]!)
      if (!machine.world.warm(slot)) charge(frame, machine.gas.coldSlot)
      stack[top] = slot.value
    },
  ),
  operation(0x55, 'SSTORE', { gas: 0, inputs: 2, outputs: 0 }, (frame) => {
    const { stack, machine } = frame
    if (frame.isStatic) throw WRITE_PROTECTION_IN_PRICE
    if (frame.gas <= machine.gas.storage.guard) throw REENTRANCY_SENTRY
    const top = popWords(frame, 2)
    const slot = machine.world.slot(frame.self, stack[top + 1]!)
    const value = stack[top]!
    if (!machine.world.warm(slot)) charge(frame, machine.gas.coldSlot + machine.gas.warmAccess)
    chargeWrite(frame, slot, value)
    if (value !== slot.value) machine.world.setSlot(frame.self, slot, value)
  }),
  operation(0x5c, 'TLOAD', { gas: 100, inputs: 1, outputs: 1, since: 'cancun' }, (frame) => {
    const top = frame.stackSize - 1
    frame.stack[top] = frame.machine.world.transientSlot(frame.self, frame.stack[top]!)
  }),
  operation(0x5d, 'TSTORE', { gas: 100, inputs: 2, outputs: 0, since: 'cancun' }, (frame) => {
    if (frame.isStatic) throw WRITE_PROTECTION
    const top = popWords(frame, 2)
    frame.machine.world.setTransientSlot(frame.self, frame.stack[top + 1]!, frame.stack[top]!)
  }),
]

function chargeWrite(frame: ExecutionFrame, slot: SlotRecord, value: bigint): void {
  const { world, gas } = frame.machine
  const prices = gas.storage
  if (!prices.isNet) {
    charge(frame, slot.value === 0n && value !== 0n ? prices.set : prices.reset)
    if (slot.value !== 0n && value === 0n) world.addRefund(prices.clearRefund)
  } else if (value === slot.value) {
    charge(frame, prices.noop)
  } else if (slot.value === slot.original) {
    charge(frame, slot.original === 0n ? prices.set : prices.reset)
    if (value === 0n) world.addRefund(prices.clearRefund)
  } else {
    charge(frame, prices.noop)
    world.addRefund(refundOfRewrite(prices, slot, value))
  }
}

/** EIP-2200: a slot that this transaction changed before is written again. */
function refundOfRewrite(prices: StorageGas, slot: SlotRecord, value: bigint): number {
  let refund = 0
  if (slot.original !== 0n) {
    if (slot.value === 0n) refund -= prices.clearRefund
    if (value === 0n) refund += prices.clearRefund
  }
  if (value === slot.original) refund += (slot.original === 0n ? prices.set : prices.reset) - prices.noop
  return refund
}
