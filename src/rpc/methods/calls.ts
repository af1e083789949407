// Messages that are run but not sent, in the block environment of the same snapshot as the state.
import { bytesToHex, type Hex, hexToBytes, toQuantity } from '../../chain/bytes/hex.ts'
import type { BlockOverridesObject, CallObject, StateOverridesObject } from '../../contract/rpc-params.ts'
import { type CallMessage, type CallResult, pausableCall } from '../../evm/call/call.ts'
import { callFailed } from '../../evm/call/call-failures.ts'
import { callMessage, envForCall, overriddenEnv, overridesOf } from '../../evm/call/call-object.ts'
import { pausableEstimate } from '../../evm/call/estimate.ts'
import type { StateOverrides } from '../../evm/call/overrides.ts'
import type { BlockEnv } from '../../evm/core/block-env.ts'
import { smaller } from '../../evm/core/word.ts'
import type { PendingState } from '../../pending/executor.ts'
import type { RpcHandlers } from '../server/dispatch.ts'
import { hasState } from '../state/recent-blocks.ts'
import { runOnState } from '../state/run-on-state.ts'
import { type AtNode, type Scope, stateAt } from '../state/scope.ts'
import { onceKnown } from '../state/value-or-promise.ts'

export const callMethods: Pick<RpcHandlers, 'eth_call' | 'eth_estimateGas'> = {
  eth_call: (scope, [call, block, stateOverrides, blockOverrides], raw) =>
    onceKnown(stateAt(scope, block), (found) => {
      if (found.type === 'node') return askNode(scope, 'eth_call', raw, found)
      const prepared = preparedCall(scope, found.state, { call, stateOverrides, blockOverrides })
      return outputOf(scope, found.state, prepared)
    }),

  eth_estimateGas: (scope, [call, block, stateOverrides, blockOverrides], raw) =>
    onceKnown(stateAt(scope, block), async (found) => {
      if (found.type === 'node') return askNode(scope, 'eth_estimateGas', raw, found)
      const { env, message, overrides } = preparedCall(scope, found.state, { call, stateOverrides, blockOverrides })
      const estimate = await runOnState(scope, found.state, {
        slices: (world) => pausableEstimate(world, env, message, { overrides }),
        missesOf: (result) => (result.type === 'missed' ? result.misses : null),
      })
      if (estimate.type === 'estimated') return toQuantity(estimate.gas)
      if (estimate.type === 'failed') throw callFailed(estimate.failure, estimate.output)
      throw new Error('an estimate with misses')
    }),
}

/** A call by nobody of a contract at `pending`, which is what most calls are, without the general reading of parameters; else null. */
export function plainCall(scope: Scope, params: readonly unknown[]): Hex | Promise<Hex> | null {
  if (params.length !== 2 || params[1] !== 'pending' || !hasState(scope.view)) return null
  const message = plainMessage(params[0])
  if (message === null) return null
  const state = scope.view.states.at(-1)!
  const gas = smaller(state.env.gasLimit, scope.dependencies.limits.gasCap)
  return outputOf(scope, state, {
    message: { ...message, gas },
    env: { ...state.env, baseFee: 0n },
    overrides: undefined,
  })
}

function plainMessage(call: unknown): { readonly to: bigint; readonly data: Uint8Array } | null {
  if (typeof call !== 'object' || call === null) return null
  let to: bigint | null = null
  let data: Uint8Array | null = null
  for (const [key, value] of Object.entries(call)) {
    if (typeof value !== 'string') return null
    if (key === 'to' && ADDRESS.test(value)) to = BigInt(value)
    else if ((key === 'data' || key === 'input') && data === null && BYTES.test(value) && value.length % 2 === 0)
      data = hexToBytes(value)
    else return null
  }
  return to === null || data === null ? null : { to, data }
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const BYTES = /^0x[0-9a-fA-F]*$/

export type CallRequest = {
  readonly call: CallObject
  readonly stateOverrides: StateOverridesObject | null | undefined
  readonly blockOverrides: BlockOverridesObject | null | undefined
}

export type PreparedCall = {
  readonly env: BlockEnv
  readonly message: CallMessage
  readonly overrides: StateOverrides | undefined
}

export function preparedCall(
  scope: Scope,
  { env }: PendingState,
  request: CallRequest,
): PreparedCall & { readonly message: Required<CallMessage> } {
  const overridden = overriddenEnv(env, request.blockOverrides)
  const message = callMessage(request.call, overridden, scope.dependencies.limits.gasCap)
  return { env: envForCall(overridden, message), message, overrides: overridesOf(request.stateOverrides) }
}

function outputOf(scope: Scope, state: PendingState, { env, message, overrides }: PreparedCall): Hex | Promise<Hex> {
  const result = runOnState(scope, state, {
    slices: (world) => pausableCall(world, env, message, { overrides }),
    missesOf: ({ misses }) => misses,
  })
  return onceKnown(result, successOf)
}

function successOf({ failure, output }: CallResult): Hex {
  if (failure !== null) throw callFailed(failure, output)
  return bytesToHex(output)
}

/** The parameters as they came, at the block that this scope means by them. */
export function askNode(scope: Scope, method: string, raw: readonly unknown[], { at }: AtNode): Promise<unknown> {
  const [first, , ...rest] = raw
  return scope.ask(method, [first, at, ...rest])
}
