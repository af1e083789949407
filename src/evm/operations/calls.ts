// Calls, contract creation and SELFDESTRUCT.

import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import { create2Address, createAddress } from '../../chain/rules/create-address.ts'
import { accessAccount, accessCode } from '../core/access.ts'
import { openCall, openCreate } from '../core/calling.ts'
import { charge, type ExecutionFrame, type MessageKind, popWords } from '../core/execution-frame.ts'
import {
  allButOneSixtyFourth,
  CALL_STIPEND,
  CALL_VALUE_GAS,
  INITCODE_WORD_GAS,
  KECCAK_WORD_GAS,
  MAX_INITCODE_SIZE,
  NEW_ACCOUNT_GAS,
} from '../core/gas.ts'
import { INITCODE_TOO_LONG, OUT_OF_GAS, WRITE_PROTECTION, WRITE_PROTECTION_IN_PRICE } from '../core/halt.ts'
import { readMemory, reserve, toSize } from '../core/memory.ts'
import { ADDRESS_MASK, wordCount } from '../core/word.ts'
import { type AccountRecord, isEmpty } from '../state/account-record.ts'
import { toCode } from '../state/code.ts'
import { type Operation, operation } from './operation.ts'

const CALL_GAS = { frontier: 40, tangerineWhistle: 700, berlin: 100 }

export const calls: readonly Operation[] = [
  operation(0xf0, 'CREATE', { gas: 32000, inputs: 3, outputs: 1 }, (frame) => {
    const { stack } = frame
    const top = popWords(frame, 3)
    const initCode = takeInitCode(frame, stack[top + 1]!, stack[top]!, 0)
    const address = createAddress(frame.self.address, frame.self.nonce)
    create(frame, { kind: 'CREATE', address, value: stack[top + 2]!, initCode })
  }),
  operation(0xf1, 'CALL', { gas: CALL_GAS, inputs: 7, outputs: 1 }, (frame) => {
    const { stack } = frame
    const top = popWords(frame, 7)
    const value = stack[top + 4]!
    if (value !== 0n && frame.isStatic) throw WRITE_PROTECTION_IN_PRICE
    callWith(frame, { kind: 'CALL', value, ranges: top })
  }),
  operation(0xf2, 'CALLCODE', { gas: CALL_GAS, inputs: 7, outputs: 1 }, (frame) => {
    const top = popWords(frame, 7)
    callWith(frame, { kind: 'CALLCODE', value: frame.stack[top + 4]!, ranges: top })
  }),
  operation(0xf4, 'DELEGATECALL', { gas: CALL_GAS, inputs: 6, outputs: 1, since: 'homestead' }, (frame) => {
    const top = popWords(frame, 6)
    callWith(frame, { kind: 'DELEGATECALL', value: frame.value, ranges: top })
  }),
  operation(0xf5, 'CREATE2', { gas: 32000, inputs: 4, outputs: 1, since: 'constantinople' }, (frame) => {
    const { stack } = frame
    const top = popWords(frame, 4)
    const initCode = takeInitCode(frame, stack[top + 2]!, stack[top + 1]!, KECCAK_WORD_GAS)
    const address = create2Address({ creator: frame.self.address, salt: stack[top]!, initCode })
    create(frame, { kind: 'CREATE2', address, value: stack[top + 3]!, initCode })
  }),
  operation(0xfa, 'STATICCALL', { gas: CALL_GAS, inputs: 6, outputs: 1, since: 'byzantium' }, (frame) => {
    const top = popWords(frame, 6)
    callWith(frame, { kind: 'STATICCALL', value: 0n, ranges: top })
  }),
  operation(0xff, 'SELFDESTRUCT', { gas: { frontier: 0, tangerineWhistle: 5000 }, inputs: 1, outputs: 0 }, (frame) => {
    if (frame.isStatic) throw WRITE_PROTECTION_IN_PRICE
    selfDestruct(frame, frame.stack[--frame.stackSize]! & ADDRESS_MASK)
  }),
]

/** `ranges` is the stack index of the output's size; above it are the output's offset, the input's size and the input's offset. */
type CallOperands = { readonly kind: MessageKind; readonly value: bigint; readonly ranges: number }

function callWith(frame: ExecutionFrame, { kind, value, ranges }: CallOperands): void {
  const { stack, machine } = frame
  const takesValue = kind === 'CALL' || kind === 'CALLCODE'
  const below = takesValue ? ranges + 5 : ranges + 4
  const inputSize = toSize(stack[ranges + 2]!)
  const outputSize = toSize(stack[ranges]!)
  const inputOffset = reserve(frame, stack[ranges + 3]!, inputSize)
  frame.returnOffset = reserve(frame, stack[ranges + 1]!, outputSize)
  frame.returnSize = outputSize

  const codeAddress = stack[below]! & ADDRESS_MASK
  const target = accessAccount(frame, codeAddress)
  if (takesValue && value !== 0n) charge(frame, CALL_VALUE_GAS)
  if (kind === 'CALL' && isNewAccount(frame, target, value)) charge(frame, NEW_ACCOUNT_GAS)
  const code = accessCode(frame, target)
  const gas = gasForChild(frame, stack[below + 1]!)
  const borrowsCode = kind === 'CALLCODE' || kind === 'DELEGATECALL'

  frame.isRunning = false
  frame.child = openCall(machine, frame, {
    kind,
    caller: kind === 'DELEGATECALL' ? frame.caller : frame.self.address,
    self: borrowsCode ? frame.self : target,
    codeAddress,
    value,
    input: inputSize === 0 ? EMPTY_BYTES : readMemory(frame, inputOffset, inputSize),
    gas: takesValue && value !== 0n ? gas + CALL_STIPEND : gas,
    isStatic: frame.isStatic || kind === 'STATICCALL',
    code,
  })
}

function isNewAccount(frame: ExecutionFrame, target: AccountRecord, value: bigint): boolean {
  return frame.machine.rules.spuriousDragon ? value !== 0n && isEmpty(target) : !target.exists
}

/** Takes the gas of the child from the frame: the requested amount, since EIP-150 at most all but a sixty-fourth. */
function gasForChild(frame: ExecutionFrame, requested: bigint): number {
  const most = frame.machine.rules.tangerineWhistle ? allButOneSixtyFourth(frame.gas) : frame.gas
  const gas = Number(requested)
  if (gas > most && !frame.machine.rules.tangerineWhistle) throw OUT_OF_GAS
  const given = Math.min(gas, most)
  frame.gas -= given
  return given
}

function takeInitCode(frame: ExecutionFrame, offset: bigint, length: bigint, hashGas: number): Uint8Array {
  const { rules } = frame.machine
  const size = toSize(length)
  const start = reserve(frame, offset, size)
  if (rules.shanghai && size > MAX_INITCODE_SIZE) throw INITCODE_TOO_LONG
  charge(frame, wordCount(size) * (hashGas + (rules.shanghai ? INITCODE_WORD_GAS : 0)))
  // Gas is paid first, as in geth: one may be short of it.
  if (frame.isStatic) throw WRITE_PROTECTION
  return readMemory(frame, start, size)
}

type Creation = {
  readonly kind: MessageKind
  readonly address: bigint
  readonly value: bigint
  readonly initCode: Uint8Array
}

function create(frame: ExecutionFrame, { kind, address, value, initCode }: Creation): void {
  const { machine } = frame
  const gas = machine.rules.tangerineWhistle ? allButOneSixtyFourth(frame.gas) : frame.gas
  frame.gas -= gas
  frame.returnSize = 0
  frame.isRunning = false
  frame.child = openCreate(machine, frame, {
    kind,
    caller: frame.self.address,
    self: machine.world.record(address),
    codeAddress: address,
    value,
    input: EMPTY_BYTES,
    gas,
    isStatic: false,
    code: toCode(initCode),
  })
}

function selfDestruct(frame: ExecutionFrame, beneficiary: bigint): void {
  const { world, rules, gas, tracer, precompiles } = frame.machine
  const { self } = frame
  const receiver = world.record(beneficiary)
  if (rules.berlin && !precompiles.has(beneficiary) && !world.warm(receiver))
    charge(frame, gas.coldAccount + gas.warmAccess)
  const createsReceiver = rules.spuriousDragon ? self.balance !== 0n && isEmpty(receiver) : !receiver.exists
  if (rules.tangerineWhistle && createsReceiver) charge(frame, NEW_ACCOUNT_GAS)
  if (!self.destroyed) world.addRefund(gas.selfDestructRefund)
  tracer?.selfDestruct?.(frame, beneficiary, self.balance)

  const { balance } = self
  // EIP-6780: since Cancun only a contract created in this transaction is destroyed; others lose their balance and stay.
  const isDestroyed = self.created || !rules.cancun
  if (receiver !== self) {
    world.setBalance(self, 0n)
    world.setBalance(receiver, receiver.balance + balance)
  } else if (isDestroyed) {
    world.setBalance(self, 0n)
  }
  if (isDestroyed) world.markDestroyed(self)
  frame.isRunning = false
}
