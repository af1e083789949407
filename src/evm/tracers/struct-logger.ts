// geth's default tracer: one entry per operation.
import { bytesToHex, type Hex, toQuantity, wordToHex } from '../../chain/bytes/hex.ts'
import { type ExecutionFrame, isCreation, type Tracer } from '../core/execution-frame.ts'
import { CODE_DEPOSIT_BYTE_GAS } from '../core/gas.ts'

export type StructLog = {
  readonly pc: number
  readonly op: string
  readonly gas: number
  gasCost: number
  readonly depth: number
  error?: string
  readonly stack?: readonly Hex[]
  readonly memory?: readonly Hex[]
  storage?: Readonly<Record<Hex, Hex>>
}

export type StructLoggerConfig = {
  readonly enableMemory?: boolean
  readonly disableStack?: boolean
  readonly disableStorage?: boolean
  /** Maximum number of entries; 0 is no limit. */
  readonly limit?: number
}

export class StructLogger implements Tracer {
  readonly structLogs: StructLog[] = []
  readonly #config: StructLoggerConfig
  /** By depth, the entry whose gas cost is not known before the next event. */
  readonly #unpriced: (StructLog | undefined)[] = []
  readonly #storage = new Map<bigint, Map<Hex, Hex>>()

  constructor(config: StructLoggerConfig = {}) {
    this.#config = config
  }

  step(frame: ExecutionFrame, opcode: number): void {
    this.#price(frame)
    const entry = this.#entryOf(frame, opcode)
    this.#unpriced[frame.depth] = entry
    const { limit = 0 } = this.#config
    if (limit === 0 || this.structLogs.length < limit) this.structLogs.push(entry)
  }

  enter(frame: ExecutionFrame): void {
    if (frame.parent !== null) this.#price(frame.parent)
  }

  exit(frame: ExecutionFrame): void {
    const entry = this.#unpriced[frame.depth]
    if (entry === undefined) return
    const { halt } = frame
    if (halt !== null && !halt.keepsGas) entry.error = halt.message
    else entry.gasCost = entry.gas - frame.gas - depositGas(frame)
    this.#unpriced[frame.depth] = undefined
  }

  #price(frame: ExecutionFrame): void {
    const entry = this.#unpriced[frame.depth]
    if (entry !== undefined) entry.gasCost = entry.gas - frame.gas
    this.#unpriced[frame.depth] = undefined
  }

  #entryOf(frame: ExecutionFrame, opcode: number): StructLog {
    const { enableMemory, disableStack, disableStorage } = this.#config
    const { operations } = frame.machine
    const storage = disableStorage ? undefined : this.#storageAfter(frame, opcode)
    return {
      pc: frame.pc,
      op: operations.names[opcode]!,
      gas: frame.gas,
      gasCost: operations.gas[opcode]!,
      depth: frame.depth + 1,
      ...(disableStack ? {} : { stack: frame.stack.slice(0, frame.stackSize).map(toQuantity) }),
      ...(enableMemory ? { memory: wordsOf(frame.memory.subarray(0, frame.memorySize)) } : {}),
      ...(storage === undefined ? {} : { storage }),
    }
  }

  /** The slots that the contract has read or written so far, this operation included. */
  #storageAfter(frame: ExecutionFrame, opcode: number): Record<Hex, Hex> | undefined {
    const { stack, stackSize, self, machine } = frame
    const key = stack[stackSize - 1]
    if ((opcode !== SLOAD && opcode !== SSTORE) || key === undefined || stackSize < (opcode === SLOAD ? 1 : 2)) return
    const value = opcode === SLOAD ? machine.world.storage(self.address, key) : stack[stackSize - 2]
    const slots = this.#storage.get(self.address) ?? new Map<Hex, Hex>()
    this.#storage.set(self.address, slots.set(wordToHex(key), wordToHex(value ?? 0n)))
    return Object.fromEntries(slots)
  }
}

const SLOAD = 0x54
const SSTORE = 0x55

/** The gas that a creation paid for storing its code, after the last operation. */
function depositGas(frame: ExecutionFrame): number {
  return frame.halt === null && isCreation(frame) ? CODE_DEPOSIT_BYTE_GAS * frame.output.length : 0
}

function wordsOf(memory: Uint8Array): Hex[] {
  return Array.from({ length: memory.length / 32 }, (_, index) =>
    bytesToHex(memory.subarray(32 * index, 32 * index + 32)),
  )
}
