// Notes the accounts and slots that a run looks at: what `eth_createAccessList` lists.
import type { AccessList } from '../../src/chain/codec/access-list.ts'
import type { ExecutionFrame, Tracer } from '../../src/evm/core/execution-frame.ts'

export class AccessListTracer implements Tracer {
  readonly #slots = new Map<bigint, Set<bigint>>()
  readonly #warmAnyway: ReadonlySet<bigint>

  /** An address that is warm anyway is listed only with slots. */
  constructor(warmAnyway: ReadonlySet<bigint>) {
    this.#warmAnyway = warmAnyway
  }

  get accessList(): AccessList {
    return [...this.#slots].map(([address, keys]) => ({ address, storageKeys: [...keys] }))
  }

  step(frame: ExecutionFrame, opcode: number): void {
    const { stack, stackSize } = frame
    const top = stack[stackSize - 1]
    if (top === undefined || stackSize === 0) return
    if (opcode === SLOAD || opcode === SSTORE) this.#slotsOf(frame.self.address).add(top)
    else if (LOOKS_AT_TOP.has(opcode)) this.#look(frame, top)
    else if (CALLS.has(opcode) && stackSize >= 2) this.#look(frame, stack[stackSize - 2]!)
  }

  #look(frame: ExecutionFrame, word: bigint): void {
    const address = BigInt.asUintN(160, word)
    if (!this.#warmAnyway.has(address) && !frame.machine.precompiles.has(address)) this.#slotsOf(address)
  }

  #slotsOf(address: bigint): Set<bigint> {
    const keys = this.#slots.get(address) ?? new Set<bigint>()
    this.#slots.set(address, keys)
    return keys
  }
}

const SLOAD = 0x54
const SSTORE = 0x55
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT. */
const LOOKS_AT_TOP: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff])
/** CALL, CALLCODE, DELEGATECALL, STATICCALL: the address lies below the gas. */
const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa])
