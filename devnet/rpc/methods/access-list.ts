// eth_createAccessList: the accounts and slots that a call accesses.

import { addressToHex, EMPTY_BYTES, toQuantity, wordToHex } from '../../../src/chain/bytes/hex.ts'
import type { AccessList } from '../../../src/chain/codec/access-list.ts'
import { createAddress } from '../../../src/chain/rules/create-address.ts'
import { callFailed, serverError } from '../../../src/evm/call/call-failures.ts'
import { accessListOf } from '../../../src/evm/call/call-object.ts'
import type { ExecutionFrame, Tracer } from '../../../src/evm/core/execution-frame.ts'
import type { ReadableChain } from '../../chain/chain.ts'
import { stateOf } from '../block-lookup.ts'
import { executingMethod } from '../method.ts'
import { block, callObject, stateOverrides } from '../params.ts'
import { type CallRequest, runCall } from './calls.ts'

const MAX_RUNS = 10

export const accessListMethods = {
  /** An access list changes gas and so may change the run: the call is run with its list until the list stays the same. */
  eth_createAccessList: executingMethod(
    { call: callObject, block, stateOverrides: stateOverrides.nullish() },
    function* (chain, args) {
      let accessList = accessListOf(args.call)
      for (let run = 0; run < MAX_RUNS; run++) {
        const tracer = new AccessListTracer(warmAnyway(chain, args))
        const { gasUsed, failure } = yield* runCall(
          chain,
          { ...args, call: { ...args.call, accessList: accessList.map(entryToRpc) } },
          tracer,
        )
        if (failure?.type === 'refused') throw callFailed(failure, EMPTY_BYTES)
        if (sizeOf(tracer.accessList) === sizeOf(accessList)) {
          const error = failure && { error: failure.message }
          return { accessList: accessList.map(entryToRpc), ...error, gasUsed: toQuantity(gasUsed) }
        }
        accessList = tracer.accessList
      }
      throw serverError('the access list does not settle')
    },
  ),
}

function warmAnyway(chain: ReadableChain, { call, block }: CallRequest): ReadonlySet<bigint> {
  const from = call.from ? BigInt(call.from) : 0n
  const { source, block: found } = stateOf(chain, block)
  const to = call.to ? BigInt(call.to) : createAddress(from, source.account(from)?.nonce ?? 0n)
  return new Set([from, to, found.header.miner])
}

function sizeOf(list: AccessList): number {
  return list.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0)
}

function entryToRpc({ address, storageKeys }: AccessList[number]) {
  return {
    address: addressToHex(address),
    storageKeys: storageKeys.map(wordToHex),
  }
}

export class AccessListTracer implements Tracer {
  readonly #slots = new Map<bigint, Set<bigint>>()
  readonly #warmAnyway: ReadonlySet<bigint>

  /** An address that is always warm is listed only if it has slots. */
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
