// One call or creation that the EVM is running: its message, stack, memory and gas, and how it ended. The types of what a frame runs on
// (machine, operation table) and of what watches it (tracer) name each other, so they stand in one file.
import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import type { Log } from '../../chain/codec/log.ts'
import type { Rules } from '../../chain/rules/forks.ts'
import type { Precompile } from '../precompiles/precompile.ts'
import type { AccountRecord } from '../state/account-record.ts'
import { type Code, EMPTY_CODE } from '../state/code.ts'
import type { Checkpoint, WorldState } from '../state/world-state.ts'
import type { BlockEnv } from './block-env.ts'
import type { GasSchedule } from './gas.ts'
import { type Halt, OUT_OF_GAS } from './halt.ts'

export type MessageKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2'

/** The input of a frame. */
export type Message = {
  readonly kind: MessageKind
  readonly caller: bigint
  /** The account whose storage and balance the code works on. */
  readonly self: AccountRecord
  /** The address that the code belongs to. It differs from `self` in CALLCODE and DELEGATECALL. */
  readonly codeAddress: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly gas: number
  readonly isStatic: boolean
  readonly code: Code
}

/** Everything that stays the same while one transaction runs. */
export type Machine = {
  readonly world: WorldState
  readonly block: BlockEnv
  readonly rules: Rules
  readonly gas: GasSchedule
  readonly operations: OperationTable
  readonly precompiles: ReadonlyMap<bigint, Precompile>
  readonly origin: bigint
  readonly gasPrice: bigint
  readonly blobHashes: readonly bigint[]
  readonly tracer: Tracer | null
}

/** The operations of a fork, as arrays that are indexed by opcode. */
export type OperationTable = {
  readonly execute: readonly ((frame: ExecutionFrame) => void)[]
  readonly gas: Int32Array
  /** Before the operation the stack must hold at least `fewest` and at most `most` words. */
  readonly fewest: Int16Array
  readonly most: Int16Array
  readonly names: readonly string[]
}

/**
 * Hooks into a run. A tracer without `step` costs nothing per operation; without a tracer no hook is called at all.
 * A hook must not store the frame: the frame is reused as soon as it has ended.
 */
export interface Tracer {
  /** A call or creation begins. Nothing has happened yet, not even the transfer of its value. */
  enter?(frame: ExecutionFrame): void
  /** The frame has ended: `frame.halt`, `frame.output` and `frame.gas` are final. */
  exit?(frame: ExecutionFrame): void
  /** An operation is about to run; its static gas is not charged yet. */
  step?(frame: ExecutionFrame, opcode: number): void
  log?(frame: ExecutionFrame, log: Log): void
  selfDestruct?(frame: ExecutionFrame, beneficiary: bigint, balance: bigint): void
}

export class ExecutionFrame {
  readonly depth: number
  machine!: Machine
  parent: ExecutionFrame | null = null
  /** The call that this frame waits for. */
  child: ExecutionFrame | null = null

  kind: MessageKind = 'CALL'
  caller = 0n
  self!: AccountRecord
  codeAddress = 0n
  value = 0n
  input: Uint8Array = EMPTY_BYTES
  gasLimit = 0
  isStatic = false
  code: Code = EMPTY_CODE

  pc = 0
  gas = 0
  readonly stack: bigint[] = new Array(STACK_LIMIT + 1).fill(0n)
  stackSize = 0
  memory: Uint8Array = new Uint8Array(INITIAL_MEMORY_BYTES)
  memorySize = 0
  /** Output of the last call that ended. */
  returnData: Uint8Array = EMPTY_BYTES
  /** The range of this frame's memory that receives the output of the call it waits for. */
  returnOffset = 0
  returnSize = 0

  isRunning = false
  checkpoint: Checkpoint = 0
  output: Uint8Array = EMPTY_BYTES
  /** Null if the frame ended without an error. */
  halt: Halt | null = null

  constructor(depth: number) {
    this.depth = depth
  }

  begin(machine: Machine, parent: ExecutionFrame | null, message: Message): void {
    this.machine = machine
    this.parent = parent
    this.child = null
    this.kind = message.kind
    this.caller = message.caller
    this.self = message.self
    this.codeAddress = message.codeAddress
    this.value = message.value
    this.input = message.input
    this.gasLimit = message.gas
    this.isStatic = message.isStatic
    this.code = message.code
    this.pc = 0
    this.gas = message.gas
    this.stackSize = 0
    this.#clearMemory()
    this.returnData = EMPTY_BYTES
    this.output = EMPTY_BYTES
    this.halt = null
    this.isRunning = false
  }

  #clearMemory(): void {
    if (this.memory.length > MAX_REUSED_MEMORY_BYTES) this.memory = new Uint8Array(INITIAL_MEMORY_BYTES)
    else this.memory.fill(0, 0, this.memorySize)
    this.memorySize = 0
  }
}

export function isCreation({ kind }: { readonly kind: MessageKind }): boolean {
  return kind === 'CREATE' || kind === 'CREATE2'
}

export function charge(frame: ExecutionFrame, gas: number): void {
  frame.gas -= gas
  if (frame.gas < 0) throw OUT_OF_GAS
}

/** Removes words from the stack and returns the index of the lowest of them. The caller may still read them there. */
export function popWords(frame: ExecutionFrame, words: number): number {
  frame.stackSize -= words
  return frame.stackSize
}

export const STACK_LIMIT = 1024

const INITIAL_MEMORY_BYTES = 1024
const MAX_REUSED_MEMORY_BYTES = 1 << 20
