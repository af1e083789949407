// eth_createAccessList: what a call touches, so that a transaction can say so beforehand.

import { addressToHex, EMPTY_BYTES, toQuantity, wordToHex } from '../../../src/chain/bytes/hex.ts'
import type { AccessList } from '../../../src/chain/codec/access-list.ts'
import { createAddress } from '../../../src/chain/rules/create-address.ts'
import { callFailed, serverError } from '../../../src/evm/call/call-failures.ts'
import { accessListOf } from '../../../src/evm/call/call-object.ts'
import type { DevnetChain } from '../../chain/chain.ts'
import { AccessListTracer } from '../access-list-tracer.ts'
import { stateOf } from '../block-lookup.ts'
import { method } from '../method.ts'
import { block, callObject, stateOverrides } from '../params.ts'
import { type CallRequest, runCall } from './calls.ts'

const MAX_RUNS = 10

export const accessListMethods = {
  /** What is warm from the start may change what a call does: it is run with its list until the list stays the same. */
  eth_createAccessList: method(
    { call: callObject, block, stateOverrides: stateOverrides.nullish() },
    ({ chain }, args) => {
      let accessList = accessListOf(args.call)
      for (let run = 0; run < MAX_RUNS; run++) {
        const tracer = new AccessListTracer(warmAnyway(chain, args))
        const { gasUsed, failure } = runCall(
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

function warmAnyway(chain: DevnetChain, { call, block }: CallRequest): ReadonlySet<bigint> {
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
