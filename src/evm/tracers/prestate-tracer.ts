// geth's prestateTracer: the accounts and slots that a transaction names, as they were before it; in diff mode, what it changed. Which
// ones those are follows from the operations, as in geth: what only our own engine reads does not show.
import { type Authorization, authorityOf } from '../../chain/codec/authorization.ts'
import { BASE_FEE_VAULT } from '../../chain/rules/addresses.ts'
import { create2Address, createAddress } from '../../chain/rules/create-address.ts'
import type { BlockEnv } from '../core/block-env.ts'
import type { ExecutionFrame, Tracer } from '../core/execution-frame.ts'
import { WRITE_PROTECTION } from '../core/halt.ts'
import { delegateOf } from '../state/delegation.ts'
import type { WorldState } from '../state/world-state.ts'
import { type Prestate, type PrestateDiff, prestateDiff, prestateOf, type SeenAccount } from './prestate-view.ts'

export type PrestateTracerConfig = {
  readonly diffMode?: boolean
  readonly disableCode?: boolean
  readonly disableStorage?: boolean
  readonly includeEmpty?: boolean
}

/** What a transaction names before it runs. */
export type TracedMessage = {
  readonly from: bigint
  readonly to: bigint | null
  readonly authorizations: readonly Authorization[]
}

export class PrestateTracer implements Tracer {
  readonly #world: WorldState
  readonly #block: BlockEnv
  readonly #config: PrestateTracerConfig
  readonly #seen = new Map<bigint, SeenAccount>()
  readonly #created = new Set<bigint>()
  readonly #deleted = new Set<bigint>()
  /** Undoes what the last operation added. geth looks at an operation only when its gas is paid, which is not known before it runs. */
  #undoLast: (() => void)[] = []

  /** The transaction has not begun: its fee is not yet taken. */
  constructor(world: WorldState, block: BlockEnv, config: PrestateTracerConfig, message: TracedMessage) {
    this.#world = world
    this.#block = block
    this.#config = config
    const { from, to, authorizations } = message
    const target = to ?? createAddress(from, world.record(from).nonce)
    if (to === null) this.#created.add(target)
    else this.#seeDelegate(target)
    this.#see(from)
    this.#see(target)
    this.#see(block.coinbase)
    for (const authorization of authorizations) {
      const authority = authorityOf(authorization)
      if (authority !== null) this.#see(authority)
    }
    // As op-geth does.
    if (block.rules.op) this.#see(BASE_FEE_VAULT)
  }

  enter(): void {
    this.#undoLast = []
  }

  exit({ halt }: ExecutionFrame): void {
    // A write that is forbidden is found out after its gas is paid.
    if (halt !== null && halt !== WRITE_PROTECTION) for (const undo of this.#undoLast) undo()
    this.#undoLast = []
  }

  step(frame: ExecutionFrame, opcode: number): void {
    this.#undoLast = []
    const { stack, stackSize } = frame
    const { address } = frame.self
    if (stackSize < (WORDS_NEEDED.get(opcode) ?? Number.POSITIVE_INFINITY)) return
    const word = (depth: number) => stack[stackSize - depth]!
    switch (opcode) {
      case SLOAD:
      case SSTORE:
        this.#seeSlot(address, word(1))
        break
      case CREATE:
        this.#seeCreated(createAddress(address, this.#world.record(address).nonce))
        break
      case CREATE2: {
        const initCode = memoryOf(frame, word(2), word(3))
        if (initCode !== null) this.#seeCreated(create2Address({ creator: address, salt: word(4), initCode }))
        break
      }
      case SELFDESTRUCT:
        this.#see(BigInt.asUintN(160, word(1)))
        // EIP-6780: since Cancun only what the same transaction created is deleted.
        if (!this.#block.rules.cancun || this.#created.has(address)) this.#add(this.#deleted, address)
        break
      case CALL:
      case CALLCODE:
      case DELEGATECALL:
      case STATICCALL: {
        const callee = BigInt.asUintN(160, word(2))
        this.#see(callee)
        this.#seeDelegate(callee)
        break
      }
      default:
        this.#see(BigInt.asUintN(160, word(1)))
    }
  }

  /** The transaction has ended, its fees included. */
  result(): Prestate | PrestateDiff {
    if (this.#config.diffMode) return prestateDiff(this.#seen, this.#world, this.#deleted)
    return prestateOf(this.#seen, { includeEmpty: this.#config.includeEmpty === true })
  }

  #see(address: bigint): void {
    if (this.#seen.has(address)) return
    const record = this.#world.record(address)
    const code = this.#world.codeOf(record).bytes
    const { balance, nonce, codeHash } = record
    this.#seen.set(address, {
      balance,
      nonce,
      codeHash,
      code: this.#config.disableCode ? undefined : code,
      isEmpty: balance === 0n && nonce === 0n && code.length === 0,
      slots: new Map(),
    })
    this.#undoLast.push(() => this.#seen.delete(address))
  }

  #seeDelegate(address: bigint): void {
    if (!this.#block.rules.prague) return
    const delegate = delegateOf(this.#world.codeOf(this.#world.record(address)))
    if (delegate !== null) this.#see(delegate)
  }

  #seeCreated(address: bigint): void {
    this.#see(address)
    this.#add(this.#created, address)
  }

  #seeSlot(address: bigint, key: bigint): void {
    const slots = this.#seen.get(address)?.slots
    if (this.#config.disableStorage || slots === undefined || slots.has(key)) return
    slots.set(key, this.#world.slot(this.#world.record(address), key).value)
    this.#undoLast.push(() => slots.delete(key))
  }

  #add(set: Set<bigint>, address: bigint): void {
    if (set.has(address)) return
    set.add(address)
    this.#undoLast.push(() => set.delete(address))
  }
}

/** Memory as it is before the operation, with zeros where it does not reach. Null where geth does not pad that far. */
function memoryOf({ memory, memorySize }: ExecutionFrame, offset: bigint, size: bigint): Uint8Array | null {
  if (offset + size > BigInt(memorySize) + MAX_PADDING) return null
  const [from, length] = [Number(offset), Number(size)]
  const bytes = new Uint8Array(length)
  if (from < memorySize) bytes.set(memory.subarray(from, Math.min(memorySize, from + length)))
  return bytes
}

const MAX_PADDING = 1_048_576n

const SLOAD = 0x54
const SSTORE = 0x55
const CREATE = 0xf0
const CALL = 0xf1
const CALLCODE = 0xf2
const DELEGATECALL = 0xf4
const CREATE2 = 0xf5
const STATICCALL = 0xfa
const SELFDESTRUCT = 0xff
const BALANCE = 0x31
const EXTCODESIZE = 0x3b
const EXTCODECOPY = 0x3c
const EXTCODEHASH = 0x3f

/** The operations that name an account or a slot, with the words that the stack holds at least. */
const WORDS_NEEDED = new Map([
  ...[SLOAD, SSTORE, BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT].map((each) => [each, 1] as const),
  ...[CALL, CALLCODE, DELEGATECALL, STATICCALL].map((each) => [each, 5] as const),
  [CREATE, 0],
  [CREATE2, 4],
])
