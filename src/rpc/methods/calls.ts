// Calls that are executed but not sent, in the block environment of the same view as the state.
import { bytesToHex, type Hex, hexToBytes, toQuantity } from '../../chain/bytes/hex.ts'
import type { BlockOverridesObject, CallObject, StateOverridesObject } from '../../contract/rpc-params.ts'
import { type CallMessage, type CallResult, pausableCall } from '../../evm/call/call.ts'
import { callFailed } from '../../evm/call/call-failures.ts'
import { callMessage, envForCall, overriddenEnv, overridesOf } from '../../evm/call/call-object.ts'
import { pausableEstimate } from '../../evm/call/estimate.ts'
import type { StateOverrides } from '../../evm/call/overrides.ts'
import { pausableSimulation } from '../../evm/call/simulation.ts'
import { simulatedWithHashes, simulatedWithTransactions } from '../../evm/call/simulation-view.ts'
import type { BlockEnv } from '../../evm/core/block-env.ts'
import { atMostTransactionGas } from '../../evm/core/gas.ts'
import { smaller } from '../../evm/core/word.ts'
import type { PendingState } from '../../pending/executor.ts'
import { runOnBaseState, runOnState } from '../state/execution.ts'
import { type AtNode, locateState } from '../state/locate-block.ts'
import { hasState } from '../state/recent-states.ts'
import type { Scope } from '../state/scope.ts'
import type { RpcHandlers } from './handlers.ts'

export const callMethods: Pick<RpcHandlers, 'eth_call' | 'eth_estimateGas' | 'eth_simulateV1'> = {
  async eth_call(scope, [call, block, stateOverrides, blockOverrides], raw) {
    const found = await locateState(scope, block)
    if (found.type === 'node') return askNode(scope, 'eth_call', raw, found)
    const prepared = prepareCall(scope, found.state, { call, stateOverrides, blockOverrides })
    return outputOf(await runCall(scope, found.state, prepared))
  },

  async eth_estimateGas(scope, [call, block, stateOverrides, blockOverrides], raw) {
    const found = await locateState(scope, block)
    if (found.type === 'node') return askNode(scope, 'eth_estimateGas', raw, found)
    const { env, message, overrides } = prepareCall(scope, found.state, { call, stateOverrides, blockOverrides })
    const estimate = await runOnState(scope, found.state, {
      start: (world) => pausableEstimate(world, env, message, { overrides }),
      missesOf: (result) => (result.type === 'missed' ? result.misses : null),
      gasOf: (result) => (result.type === 'estimated' ? result.gas : 0n),
    })
    if (estimate.type === 'estimated') return toQuantity(estimate.gas)
    if (estimate.type === 'failed') throw callFailed(estimate.failure, estimate.output)
    throw new Error('an estimate ended with state still missing')
  },

  async eth_simulateV1(scope, [simulation, block], raw) {
    const found = await locateState(scope, block)
    if (found.type === 'node') return askNode(scope, 'eth_simulateV1', raw, found)
    const { blockStateCalls, validation, traceTransfers, returnFullTransactions } = simulation
    const { state } = found
    const start = {
      header: state.block.header,
      hash: state.block.hash,
      env: state.env,
      gasCap: scope.rpc.limits.gasCap,
      isStrict: validation === true,
      showsTransfers: traceTransfers === true,
    }
    const blocks = await runOnBaseState(scope, state, (source) => pausableSimulation(source, start, blockStateCalls))
    for (const { header } of blocks) scope.work.charge(Number(header.gasUsed))
    return blocks.map(returnFullTransactions === true ? simulatedWithTransactions : simulatedWithHashes)
  },
}

/**
 * The short way for what most calls are: `{to, data}` at `pending`. It skips the general check of parameters, and gives a value, not a
 * promise, if the call takes less than a time slice (rpc/server/server.ts says why). Undefined for any other call.
 */
export function callAtTip(scope: Scope, params: readonly unknown[]): Hex | Promise<Hex> | undefined {
  if (params.length !== 2 || params[1] !== 'pending' || !hasState(scope.view)) return undefined
  const message = plainMessage(params[0])
  if (message === undefined) return undefined
  const state = scope.view.states.at(-1)!
  const gas = atMostTransactionGas(state.env.rules, smaller(state.env.gasLimit, scope.rpc.limits.gasCap))
  const result = runCall(scope, state, {
    message: { ...message, gas },
    env: { ...state.env, baseFee: 0n },
    overrides: undefined,
  })
  return result instanceof Promise ? result.then(outputOf) : outputOf(result)
}

function plainMessage(call: unknown): { readonly to: bigint; readonly data: Uint8Array } | undefined {
  if (typeof call !== 'object' || call === null) return undefined
  let to: bigint | undefined
  let data: Uint8Array | undefined
  for (const [key, value] of Object.entries(call)) {
    if (typeof value !== 'string') return undefined
    if (key === 'to' && ADDRESS.test(value)) to = BigInt(value)
    else if ((key === 'data' || key === 'input') && data === undefined && BYTES.test(value) && value.length % 2 === 0)
      data = hexToBytes(value)
    else return undefined
  }
  return to === undefined || data === undefined ? undefined : { to, data }
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

export function prepareCall(
  scope: Scope,
  { env }: PendingState,
  request: CallRequest,
): PreparedCall & { readonly message: Required<CallMessage> } {
  const overridden = overriddenEnv(env, request.blockOverrides)
  const message = callMessage(request.call, overridden, scope.rpc.limits.gasCap)
  return { env: envForCall(overridden, message), message, overrides: overridesOf(request.stateOverrides) }
}

function runCall(
  scope: Scope,
  state: PendingState,
  { env, message, overrides }: PreparedCall,
): CallResult | Promise<CallResult> {
  return runOnState(scope, state, {
    start: (world) => pausableCall(world, env, message, { overrides }),
    missesOf: ({ misses }) => misses,
    gasOf: ({ gasUsed }) => gasUsed,
  })
}

function outputOf({ failure, output }: CallResult): Hex {
  if (failure !== null) throw callFailed(failure, output)
  return bytesToHex(output)
}

/** Passes the client's parameters to the node, at the block that they mean in this scope. */
export function askNode(scope: Scope, method: string, raw: readonly unknown[], { at }: AtNode): Promise<unknown> {
  const [first, , ...rest] = raw
  return scope.ask(method, [first, at, ...rest])
}
