// Messages that are run but not sent.
import { bytesToHex, toQuantity } from '../../../src/chain/bytes/hex.ts'
import { type CallMessage, type CallResult, call } from '../../../src/evm/call/call.ts'
import { callFailed } from '../../../src/evm/call/call-failures.ts'
import {
  type BlockOverridesObject,
  type CallObject,
  callMessage,
  envForCall,
  overriddenEnv,
  overridesOf,
  type StateOverridesObject,
} from '../../../src/evm/call/call-object.ts'
import { estimateGas } from '../../../src/evm/call/estimate.ts'
import type { StateOverrides } from '../../../src/evm/call/overrides.ts'
import type { BlockEnv } from '../../../src/evm/core/block-env.ts'
import type { Tracer } from '../../../src/evm/core/execution-frame.ts'
import { WorldState } from '../../../src/evm/state/world-state.ts'
import type { DevnetChain } from '../../chain/chain.ts'
import { stateOf } from '../block-lookup.ts'
import { method } from '../method.ts'
import { type BlockParameter, block, blockOverrides, callObject, stateOverrides } from '../params.ts'

/** A call may take as long as a very large block. */
export const CALL_GAS_CAP = 100_000_000n

const schemas = {
  call: callObject,
  block,
  stateOverrides: stateOverrides.nullish(),
  blockOverrides: blockOverrides.nullish(),
}

export const callMethods = {
  eth_call: method(schemas, ({ chain }, args) => {
    const { output, failure } = runCall(chain, args)
    if (failure !== null) throw callFailed(failure, output)
    return bytesToHex(output)
  }),
  eth_estimateGas: method(schemas, ({ chain }, args) => toQuantity(leastGas(chain, args))),
}

export type CallRequest = {
  readonly call: CallObject
  readonly block: BlockParameter
  readonly stateOverrides?: StateOverridesObject | null | undefined
  readonly blockOverrides?: BlockOverridesObject | null | undefined
}

export function runCall(chain: DevnetChain, request: CallRequest, tracer?: Tracer): CallResult {
  const { world, env, message, overrides } = prepared(chain, request)
  return call(world, env, message, { overrides, tracer })
}

/** The least gas that does; throws where no gas does. */
export function leastGas(chain: DevnetChain, request: CallRequest): bigint {
  const { world, env, message, overrides } = prepared(chain, request)
  const estimate = estimateGas(world, env, message, { overrides })
  switch (estimate.type) {
    case 'estimated':
      return estimate.gas
    case 'failed':
      throw callFailed(estimate.failure, estimate.output)
    case 'missed':
      throw new Error('the state of the devnet has a hole')
  }
}

type Prepared = {
  readonly world: WorldState
  readonly env: BlockEnv
  readonly message: CallMessage
  readonly overrides: StateOverrides | undefined
}

function prepared(chain: DevnetChain, { call, block, stateOverrides, blockOverrides }: CallRequest): Prepared {
  const state = stateOf(chain, block)
  const env = overriddenEnv(chain.envOf(state.block.header), blockOverrides)
  const message = callMessage(call, env, CALL_GAS_CAP)
  const overrides = overridesOf(stateOverrides)
  return { world: new WorldState(state.source), env: envForCall(env, message), message, overrides }
}
