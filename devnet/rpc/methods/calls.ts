// Messages that are run but not sent.
import { bytesToHex, toQuantity } from '../../../src/chain/bytes/hex.ts'
import { type CallMessage, type CallResult, pausableCall } from '../../../src/evm/call/call.ts'
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
import { pausableEstimate } from '../../../src/evm/call/estimate.ts'
import type { StateOverrides } from '../../../src/evm/call/overrides.ts'
import type { BlockEnv } from '../../../src/evm/core/block-env.ts'
import type { Tracer } from '../../../src/evm/core/execution-frame.ts'
import type { PausableRun } from '../../../src/evm/core/pausable-run.ts'
import { WorldState } from '../../../src/evm/state/world-state.ts'
import type { ReadableChain } from '../../chain/chain.ts'
import { stateOf } from '../block-lookup.ts'
import { executingMethod } from '../method.ts'
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
  eth_call: executingMethod(schemas, function* (chain, args) {
    const { output, failure } = yield* runCall(chain, args)
    if (failure !== null) throw callFailed(failure, output)
    return bytesToHex(output)
  }),
  /** The least gas that does. */
  eth_estimateGas: executingMethod(schemas, function* (chain, args) {
    const { world, env, message, overrides } = prepared(chain, args)
    const estimate = yield* pausableEstimate(world, env, message, { overrides })
    switch (estimate.type) {
      case 'estimated':
        return toQuantity(estimate.gas)
      case 'failed':
        throw callFailed(estimate.failure, estimate.output)
      case 'missed':
        throw new Error('the state of the devnet has a hole')
    }
  }),
}

export type CallRequest = {
  readonly call: CallObject
  readonly block: BlockParameter
  readonly stateOverrides?: StateOverridesObject | null | undefined
  readonly blockOverrides?: BlockOverridesObject | null | undefined
}

export function runCall(chain: ReadableChain, request: CallRequest, tracer?: Tracer): PausableRun<CallResult> {
  const { world, env, message, overrides } = prepared(chain, request)
  return pausableCall(world, env, message, { overrides, tracer })
}

type Prepared = {
  readonly world: WorldState
  readonly env: BlockEnv
  readonly message: CallMessage
  readonly overrides: StateOverrides | undefined
}

function prepared(chain: ReadableChain, { call, block, stateOverrides, blockOverrides }: CallRequest): Prepared {
  const state = stateOf(chain, block)
  const env = overriddenEnv(chain.envOf(state.block.header), blockOverrides)
  const message = callMessage(call, env, CALL_GAS_CAP)
  const overrides = overridesOf(stateOverrides)
  return { world: new WorldState(state.source), env: envForCall(env, message), message, overrides }
}
