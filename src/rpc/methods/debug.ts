// geth's tracers for preconfirmed transactions and blocks, which are executed again for it, and for calls on the pending state.
import { serverError } from '../../evm/call/call-failures.ts'
import { pausableMessage } from '../../evm/call/execute-message.ts'
import { overriddenPrecompiles, overriddenState } from '../../evm/call/overrides.ts'
import type { BlockEnv } from '../../evm/core/block-env.ts'
import type { PausableRun } from '../../evm/core/pausable-run.ts'
import { WorldState } from '../../evm/state/world-state.ts'
import { createGethTracer, type TracerChoice, tracedTransaction } from '../../evm/tracers/geth-tracer.ts'
import { beginBlock } from '../../evm/transaction/block.ts'
import { executeTransaction } from '../../evm/transaction/transaction.ts'
import { NodeState } from '../../pending/node-state.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import { type BaseState, runOnBaseState } from '../state/execution.ts'
import { type BlockLocation, locateBlock, locateByHash, locateState } from '../state/locate-block.ts'
import type { Scope } from '../state/scope.ts'
import { askNode, prepareCall } from './calls.ts'
import type { RpcHandlers } from './handlers.ts'
import { type TraceConfig, tracerChoice } from './tracer-choice.ts'

type DebugMethod = 'debug_traceTransaction' | 'debug_traceBlockByNumber' | 'debug_traceBlockByHash' | 'debug_traceCall'

export const debugMethods: Pick<RpcHandlers, DebugMethod> = {
  async debug_traceTransaction(scope, [hash, config], raw) {
    const found = scope.view.snapshot.transaction(hash)
    if (found === null) return scope.ask('debug_traceTransaction', raw)
    const { block, index } = found
    const traces = await traceTransactions(scope, block, { config, from: index, to: index + 1 })
    return traces[0]!.result
  },

  async debug_traceBlockByNumber(scope, [number, config], raw) {
    return traceBlock(scope, await locateBlock(scope, number), config) ?? scope.ask('debug_traceBlockByNumber', raw)
  },

  async debug_traceBlockByHash(scope, [hash, config], raw) {
    return traceBlock(scope, locateByHash(scope, hash), config) ?? scope.ask('debug_traceBlockByHash', raw)
  },

  async debug_traceCall(scope, [call, block, config], raw) {
    const found = await locateState(scope, block)
    if (found.type === 'node') return askNode(scope, 'debug_traceCall', raw, found)
    const choice = tracerChoice(config)
    const { state } = found
    const request = { call, stateOverrides: config?.stateOverrides, blockOverrides: config?.blockOverrides }
    const { env, message, overrides = new Map() } = prepareCall(scope, state, request)
    return runOnBaseState(scope, state, function* (source) {
      const world = new WorldState(overriddenState(source, overrides))
      const traced = { ...message, gasLimit: message.gas, location: null, firstLogIndex: 0, unbegun: null }
      const { tracer, answer } = createGethTracer(choice, { world, block: env }, traced)
      const precompiles = overriddenPrecompiles(env.rules, overrides)
      const executed = yield* pausableMessage(world, env, message, { tracer, precompiles })
      if (executed.type === 'refused') throw serverError(executed.message)
      return answer({ ...executed, failed: executed.failure !== null })
    })
  },
}

/** Undefined for a block that is not preconfirmed: the node answers for it. */
function traceBlock(scope: Scope, found: BlockLocation, config: TraceConfig): Promise<TracedTransaction[]> | undefined {
  if (found.type === 'node' || !scope.view.snapshot.blocks.includes(found.block)) return undefined
  return traceTransactions(scope, found.block, { config, from: 0, to: found.block.transactions.length })
}

type TracedTransaction = { readonly txHash: string; readonly result: unknown }
type Range = { readonly config: TraceConfig; readonly from: number; readonly to: number }

function traceTransactions(
  scope: Scope,
  block: PendingBlock,
  { config, ...range }: Range,
): Promise<TracedTransaction[]> {
  const choice = tracerChoice(config)
  const blockIndex = scope.view.snapshot.blocks.indexOf(block)
  const env = scope.view.states[blockIndex]?.env
  if (env === undefined) {
    throw serverError(`block ${block.header.number} is not executed: ${scope.view.problem ?? 'not yet'}`)
  }
  return runOnBaseState(scope, stateBefore(scope, blockIndex, block), (source) =>
    replay(new WorldState(source), env, { block, choice, ...range }),
  )
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

type Replay = {
  readonly block: PendingBlock
  readonly choice: TracerChoice
  /** The transactions to trace; those before them only run. */
  readonly from: number
  readonly to: number
}

/** Pauses only between transactions: each of them was short enough to fit in a flashblock. */
function* replay(
  world: WorldState,
  env: BlockEnv,
  { block, choice, from, to }: Replay,
): PausableRun<TracedTransaction[]> {
  const { parentHash, parentBeaconBlockRoot } = block.header
  beginBlock(world, env, {
    parentHash: BigInt(parentHash),
    parentBeaconRoot: parentBeaconBlockRoot === undefined ? null : BigInt(parentBeaconBlockRoot),
  })
  const traces: TracedTransaction[] = []
  let gasUsedBefore = 0n
  let firstLogIndex = 0
  for (const [index, { recovered }] of block.transactions.slice(0, to).entries()) {
    const traced =
      index < from
        ? null
        : createGethTracer(choice, { world, block: env }, tracedTransaction(recovered, block, { index, firstLogIndex }))
    const execution = executeTransaction(world, env, recovered, { tracer: traced?.tracer, gasUsedBefore })
    const isExecuted = execution.type === 'executed'
    if (isExecuted) {
      gasUsedBefore += execution.gasUsed
      firstLogIndex += execution.logs.length
    }
    if (traced !== null) {
      const result = isExecuted ? traced.answer({ ...execution, failed: !execution.succeeded }) : null
      traces.push({ txHash: recovered.hash, result })
    }
    yield
  }
  return traces
}
