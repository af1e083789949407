// Opens and closes execution frames: what a call or a creation does before its code runs and after it has ended. A frame without code to
// run (a precompile, an account without code, a call that is not allowed) has ended as soon as it is opened.
import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import type { AccountRecord } from '../state/account-record.ts'
import { EMPTY_CODE } from '../state/code.ts'
import { type ExecutionFrame, isCreation, type Machine, type Message } from './execution-frame.ts'
import { frameAtDepth } from './frame-pool.ts'
import { CODE_DEPOSIT_BYTE_GAS, MAX_CALL_DEPTH, MAX_CODE_SIZE, MAX_NONCE } from './gas.ts'
import {
  ADDRESS_COLLISION,
  CALL_TOO_DEEP,
  CODE_BEGINS_WITH_EF,
  CODE_DEPOSIT_OUT_OF_GAS,
  CODE_TOO_LONG,
  Halt,
  INSUFFICIENT_BALANCE,
  NONCE_OVERFLOW,
  REVERTED,
} from './halt.ts'

export function openCall(machine: Machine, parent: ExecutionFrame | null, message: Message): ExecutionFrame {
  const { kind, caller, self, value } = message
  const frame = openFrame(machine, parent, message)
  const halt = refusalReason(frame, kind === 'CALL' || kind === 'CALLCODE' ? value : 0n)
  if (halt !== null) return refuse(frame, halt)
  if (kind === 'CALL' && value !== 0n) transfer(machine, caller, self, value)
  if (kind === 'CALL' || kind === 'STATICCALL') machine.world.touch(self)
  if (machine.precompiles.has(message.codeAddress)) runPrecompile(frame)
  else frame.isRunning = frame.code !== EMPTY_CODE
  return frame
}

/** `message.self` is the new account, `message.code` its init code. */
export function openCreate(machine: Machine, parent: ExecutionFrame | null, message: Message): ExecutionFrame {
  const { world } = machine
  const frame = openFrame(machine, parent, message)
  const creator = world.record(message.caller)
  const halt = refusalReason(frame, message.value) ?? (creator.nonce === MAX_NONCE ? NONCE_OVERFLOW : null)
  if (halt !== null) return refuse(frame, halt)
  world.setNonce(creator, creator.nonce + 1n)
  world.warm(message.self)
  // If the creation fails, the creator's nonce and the warm address stay; only what follows is undone.
  frame.checkpoint = world.checkpoint()
  if (world.isOccupied(message.self)) return refuse(frame, ADDRESS_COLLISION)
  world.markCreated(message.self)
  world.touch(message.self)
  if (machine.rules.spuriousDragon) world.setNonce(message.self, 1n)
  if (message.value !== 0n) transfer(machine, message.caller, message.self, message.value)
  frame.isRunning = frame.code !== EMPTY_CODE
  return frame
}

/** Undoes the changes of a failed frame, and stores the code of a new contract. */
export function closeFrame(frame: ExecutionFrame): void {
  const { world, tracer } = frame.machine
  if (frame.halt === null && isCreation(frame)) depositCode(frame)
  if (frame.halt !== null) {
    world.revert(frame.checkpoint)
    if (!frame.halt.keepsGas) frame.gas = 0
    if (frame.halt !== REVERTED) frame.output = EMPTY_BYTES
  }
  tracer?.exit?.(frame)
}

/** Gives the result of an ended call to the frame that waits for it. */
export function resumeParent(frame: ExecutionFrame): ExecutionFrame {
  const parent = frame.parent!
  const isCreate = isCreation(frame)
  const succeeded = frame.halt === null
  parent.child = null
  parent.isRunning = true
  parent.gas += frame.gas
  parent.returnData = isCreate && succeeded ? EMPTY_BYTES : frame.output
  if (isCreate) {
    parent.stack[parent.stackSize++] = succeeded ? frame.self.address : 0n
    return parent
  }
  parent.stack[parent.stackSize++] = succeeded ? 1n : 0n
  const copied = Math.min(parent.returnSize, frame.output.length)
  if (copied > 0) parent.memory.set(frame.output.subarray(0, copied), parent.returnOffset)
  return parent
}

function openFrame(machine: Machine, parent: ExecutionFrame | null, message: Message): ExecutionFrame {
  const frame = frameAtDepth(parent === null ? 0 : parent.depth + 1)
  frame.begin(machine, parent, message)
  frame.checkpoint = machine.world.checkpoint()
  machine.tracer?.enter?.(frame)
  return frame
}

/** `needed` is the balance that the caller must have. */
function refusalReason({ depth, caller, machine }: ExecutionFrame, needed: bigint): Halt | null {
  if (depth > MAX_CALL_DEPTH) return CALL_TOO_DEEP
  return needed !== 0n && machine.world.record(caller).balance < needed ? INSUFFICIENT_BALANCE : null
}

function refuse(frame: ExecutionFrame, halt: Halt): ExecutionFrame {
  frame.halt = halt
  return frame
}

function transfer({ world }: Machine, from: bigint, to: AccountRecord, value: bigint): void {
  const sender = world.record(from)
  world.setBalance(sender, sender.balance - value)
  world.setBalance(to, to.balance + value)
}

function runPrecompile(frame: ExecutionFrame): void {
  const result = frame.machine.precompiles.get(frame.codeAddress)!(frame.input, frame.gas)
  if (!result.ok) {
    frame.halt = new Halt(result.error)
    return
  }
  frame.gas -= result.gasUsed
  frame.output = result.output
}

function depositCode(frame: ExecutionFrame): void {
  const { world, rules } = frame.machine
  const code = frame.output
  const cost = code.length * CODE_DEPOSIT_BYTE_GAS
  if (rules.spuriousDragon && code.length > MAX_CODE_SIZE) frame.halt = CODE_TOO_LONG
  else if (rules.london && code[0] === 0xef) frame.halt = CODE_BEGINS_WITH_EF
  // EIP-2: before Homestead the contract was created without code, and the gas stayed.
  else if (cost > frame.gas) frame.halt = rules.homestead ? CODE_DEPOSIT_OUT_OF_GAS : null
  else {
    frame.gas -= cost
    if (code.length > 0) world.setCode(frame.self, code)
  }
}
