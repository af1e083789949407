// One call or creation under way: its message, its stack, memory and gas, and how it ended. Frames are kept by depth and used again,
// since stacks and memories are dear to make; at any time one run uses them. A run that pauses takes them with it (`swapFrames`).
import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import type { AccountRecord } from '../state/account-record.ts'
import { type Code, EMPTY_CODE } from '../state/code.ts'
import type { Checkpoint } from '../state/world-state.ts'
import type { Machine } from './block-env.ts'
import { type Halt, OUT_OF_GAS } from './halt.ts'

export type MessageKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2'

/** What a frame is asked to do. */
export type Message = {
  readonly kind: MessageKind
  readonly caller: bigint
  /** The account whose storage and balance the code works on. */
  readonly self: AccountRecord
  /** Where the code was found: differs from `self` in CALLCODE and DELEGATECALL. */
  readonly codeAddress: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly gas: number
  readonly isStatic: boolean
  readonly code: Code
}

export function isCreation({ kind }: { readonly kind: MessageKind }): boolean {
  return kind === 'CREATE' || kind === 'CREATE2'
}

export class ExecutionFrame {
  readonly depth: number
  machine!: Machine
  parent: ExecutionFrame | null = null
  /** The call this frame waits for. */
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
  memory: Uint8Array = new Uint8Array(FIRST_MEMORY)
  memorySize = 0
  /** Output of the last call that ended. */
  returnData: Uint8Array = EMPTY_BYTES
  /** Where the caller wants the output of the call it waits for. */
  returnOffset = 0
  returnSize = 0

  isRunning = false
  checkpoint: Checkpoint = 0
  output: Uint8Array = EMPTY_BYTES
  /** Null: it ended well. */
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
    if (this.memory.length > LARGEST_KEPT_MEMORY) this.memory = new Uint8Array(FIRST_MEMORY)
    else this.memory.fill(0, 0, this.memorySize)
    this.memorySize = 0
  }
}

export function charge(frame: ExecutionFrame, gas: number): void {
  frame.gas -= gas
  if (frame.gas < 0) throw OUT_OF_GAS
}

/** Takes words off the stack; the index of the lowest of them is returned, and they can still be read. */
export function popWords(frame: ExecutionFrame, words: number): number {
  frame.stackSize -= words
  return frame.stackSize
}

export function frameAtDepth(depth: number): ExecutionFrame {
  for (let next = frames.length; next <= depth; next++) frames.push(new ExecutionFrame(next))
  return frames[depth]!
}

/** To be called when nothing runs: a deep frame is rarely needed again and would keep the world it ran on alive. */
export function releaseDeepFrames(): void {
  if (frames.length > KEPT_FRAMES) frames.length = KEPT_FRAMES
}

/** Puts others in the place of the frames in use, and gives those. */
export function swapFramePool(others: ExecutionFrame[]): ExecutionFrame[] {
  const used = frames
  frames = others
  return used
}

export const STACK_LIMIT = 1024

const KEPT_FRAMES = 16

const FIRST_MEMORY = 1024
const LARGEST_KEPT_MEMORY = 1 << 20

let frames: ExecutionFrame[] = []
