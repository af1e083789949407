// geth's callTracer for preconfirmed transactions, which are executed again for it, and for calls on the pending state.
import { invalidParams, serverError } from '../../evm/call/call-failures.ts'
import { pausableMessage } from '../../evm/call/execute-message.ts'
import { overriddenPrecompiles, overriddenState } from '../../evm/call/overrides.ts'
import type { BlockEnv } from '../../evm/core/block-env.ts'
import type { PausableRun } from '../../evm/core/pausable-run.ts'
import { WorldState } from '../../evm/state/world-state.ts'
import { CallRecorder, unbegunCall } from '../../evm/tracers/call-recorder.ts'
import { type CallTracerConfig, toCallTrace } from '../../evm/tracers/call-tracer.ts'
import { beginBlock } from '../../evm/transaction/block.ts'
import { executeTransaction } from '../../evm/transaction/transaction.ts'
import { NodeState } from '../../pending/node-state.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import { type BaseState, runOnBaseState } from '../state/execution.ts'
import { locateState } from '../state/locate-block.ts'
import type { Scope } from '../state/scope.ts'
import { askNode, prepareCall } from './calls.ts'
import type { RpcHandlers } from './handlers.ts'

export const debugMethods: Pick<RpcHandlers, 'debug_traceTransaction' | 'debug_traceCall'> = {
  async debug_traceTransaction(scope, [hash, config], raw) {
    const found = scope.view.snapshot.transaction(hash)
    if (found === null) return scope.ask('debug_traceTransaction', raw)
    const tracerConfig = callTracerConfig(config)
    const { block, index } = found
    const blockIndex = scope.view.snapshot.blocks.indexOf(block)
    const env = scope.view.states[blockIndex]?.env
    if (env === undefined)
      throw serverError(`block ${block.header.number} is not executed: ${scope.view.problem ?? 'not yet'}`)
    return runOnBaseState(scope, stateBefore(scope, blockIndex, block), (source) =>
      replay(new WorldState(source), env, { block, index, tracerConfig }),
    )
  },

  async debug_traceCall(scope, [call, block, config], raw) {
    const found = await locateState(scope, block)
    if (found.type === 'node') return askNode(scope, 'debug_traceCall', raw, found)
    const tracerConfig = callTracerConfig(config)
    const { state } = found
    const request = { call, stateOverrides: config?.stateOverrides, blockOverrides: config?.blockOverrides }
    const { env, message, overrides = new Map() } = prepareCall(scope, state, request)
    return runOnBaseState(scope, state, function* (source) {
      const world = new WorldState(overriddenState(source, overrides))
      const recorder = new CallRecorder()
      const precompiles = overriddenPrecompiles(env.rules, overrides)
      const executed = yield* pausableMessage(world, env, message, { tracer: recorder, precompiles })
      if (executed.type === 'refused') throw serverError(executed.message)
      return toCallTrace(recorder.root!, { gasLimit: message.gas, gasUsed: executed.gasUsed }, tracerConfig)
    })
  },
}

type TraceConfig = {
  readonly tracer?: string | null | undefined
  readonly tracerConfig?:
    | { readonly onlyTopCall?: boolean | null | undefined; readonly withLog?: boolean | null | undefined }
    | null
    | undefined
}

function callTracerConfig(config: TraceConfig | null | undefined): CallTracerConfig {
  if (config?.tracer !== 'callTracer') {
    throw invalidParams('on preconfirmed blocks only the callTracer is supported: set {"tracer": "callTracer"}')
  }
  const { onlyTopCall, withLog } = config.tracerConfig ?? {}
  return { onlyTopCall: onlyTopCall === true, withLog: withLog === true }
}

/** The state before a block of the view: that after the block below it, or the node's. */
function stateBefore({ view, rpc: { node } }: Scope, blockIndex: number, { header }: PendingBlock): BaseState {
  const below = blockIndex === 0 ? undefined : view.states[blockIndex - 1]
  if (below !== undefined) return below
  const state = NodeState.at({ height: header.number - 1, hash: header.parentHash })
  return {
    source: state,
    fetch: (misses, signal) => state.fetch((calls, until) => node.batch(calls, until), misses, signal),
  }
}

type Replay = { readonly block: PendingBlock; readonly index: number; readonly tracerConfig: CallTracerConfig }

/** Pauses only between transactions: each of them was short enough to fit in a flashblock. */
function* replay(world: WorldState, env: BlockEnv, { block, index, tracerConfig }: Replay): PausableRun<unknown> {
  const { parentHash, parentBeaconBlockRoot } = block.header
  beginBlock(world, env, {
    parentHash: BigInt(parentHash),
    parentBeaconRoot: parentBeaconBlockRoot === undefined ? null : BigInt(parentBeaconBlockRoot),
  })
  let gasUsedBefore = 0n
  for (const { recovered } of block.transactions.slice(0, index)) {
    const execution = executeTransaction(world, env, recovered, { gasUsedBefore })
    if (execution.type === 'executed') gasUsedBefore += execution.gasUsed
    yield
  }
  const { recovered } = block.transactions[index]!
  const recorder = new CallRecorder()
  const execution = executeTransaction(world, env, recovered, { tracer: recorder, gasUsedBefore })
  if (execution.type === 'refused') return null
  const gas = { gasLimit: recovered.transaction.gasLimit, gasUsed: execution.gasUsed }
  return toCallTrace(recorder.root ?? unbegunCall(recovered), gas, tracerConfig)
}
