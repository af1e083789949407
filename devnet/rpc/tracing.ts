// Runs a message or transaction with one of geth's tracers.
import { z } from 'zod'
import { serverError } from '../../src/evm/call/call-failures.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import type { Tracer } from '../../src/evm/core/execution-frame.ts'
import type { PausableRun } from '../../src/evm/core/pausable-run.ts'
import type { WorldState } from '../../src/evm/state/world-state.ts'
import { CallRecorder, type RecordedCall } from '../../src/evm/tracers/call-recorder.ts'
import {
  createGethTracer,
  GETH_TRACERS,
  type Traced,
  type TracedRun,
  type TracerChoice,
  tracedTransaction,
} from '../../src/evm/tracers/geth-tracer.ts'
import type { ReadableChain } from '../chain/chain.ts'
import type { ChainBlock } from '../chain/included-transaction.ts'
import { executeAny } from '../chain/own-transaction.ts'
import { stateIsGone } from './block-lookup.ts'
import { stateChanges } from './state-changes.ts'

/** Steps of one run; a step with its stack takes about half a kilobyte. */
const MAX_STEPS = 200_000

const flag = z.boolean().optional()

/** `stateChangesTracer` is the devnet's own: every account that changed, fees of the rollup included. */
const STATE_CHANGES = 'stateChangesTracer'
const TRACERS = [...GETH_TRACERS, STATE_CHANGES] as const

export const traceConfig = z
  .object({
    tracer: z.enum(TRACERS, { error: `must be one of ${TRACERS.join(', ')}` }).nullish(),
    tracerConfig: z
      .object({
        onlyTopCall: flag,
        withLog: flag,
        diffMode: flag,
        disableCode: flag,
        disableStorage: flag,
        includeEmpty: flag,
        convertParityErrors: flag,
        includePrecompiles: flag,
      })
      .nullish(),
    enableMemory: flag,
    disableStack: flag,
    disableStorage: flag,
    limit: z.int().nonnegative().max(MAX_STEPS, `must be at most ${MAX_STEPS}`).optional(),
  })
  .nullish()
  .transform((config) => config ?? {})

export type TraceConfig = z.output<typeof traceConfig>

/** A run on a world. */
export type Traceable = Traced & {
  readonly env: BlockEnv
  run(world: WorldState, tracer?: Tracer): PausableRun<TracedRun>
}

/** Executes the run and returns the trace. The world keeps the changes of the run. */
export function* trace(world: WorldState, traceable: Traceable, config: TraceConfig): PausableRun<unknown> {
  if (config.tracer === STATE_CHANGES) {
    const changes = yield* stateChanges(world, (above) => traceable.run(above))
    yield* traceable.run(world)
    return changes
  }
  const { tracer, tracerConfig, ...structLogger } = config
  const choice: TracerChoice = {
    name: tracer ?? 'structLogger',
    config: withoutUndefined(tracerConfig ?? {}),
    structLogger: { ...withoutUndefined(structLogger), maxSteps: MAX_STEPS },
  }
  const traced = createGethTracer(choice, { world, block: traceable.env }, traceable)
  return traced.answer(yield* traceable.run(world, traced.tracer))
}

export function* recordCalls(world: WorldState, traceable: Traceable): PausableRun<{ root: RecordedCall }> {
  const recorder = new CallRecorder()
  yield* traceable.run(world, recorder)
  const root = recorder.root ?? traceable.unbegun
  if (root === null) throw new Error('a run without a call')
  return { root }
}

export type ReplayedTransaction = { readonly world: WorldState; readonly traceable: Traceable; readonly index: number }

/** Run each one before you take the next. */
export function* replayBlock(chain: ReadableChain, block: ChainBlock): Generator<ReplayedTransaction> {
  if (block.header.number === 0) throw serverError('genesis is not traceable')
  const replay = chain.worldBefore(block, 0)
  if (replay === null) throw stateIsGone(block)
  let { gasUsedBefore } = replay
  for (const [index, { gasUsed }] of block.transactions.entries()) {
    const traceable = traceableOf(block, index, { env: replay.env, gasUsedBefore })
    yield { world: replay.world, traceable, index }
    gasUsedBefore += gasUsed
  }
}

export function replayOne(chain: ReadableChain, block: ChainBlock, index: number): ReplayedTransaction {
  const replay = chain.worldBefore(block, index)
  if (replay === null) throw stateIsGone(block)
  return { world: replay.world, traceable: traceableOf(block, index, replay), index }
}

type Before = { readonly env: BlockEnv; readonly gasUsedBefore: bigint }

function traceableOf(block: ChainBlock, index: number, { env, gasUsedBefore }: Before): Traceable {
  const { recovered, firstLogIndex } = block.transactions[index]!
  return {
    ...tracedTransaction(recovered, block, { index, firstLogIndex }),
    env,
    // biome-ignore lint/correctness/useYield: a transaction of a block cannot pause; its gas bounds it
    *run(world, tracer) {
      const execution = executeAny(world, env, recovered, { tracer, gasUsedBefore })
      if (execution.type === 'refused') throw new Error(`${recovered.hash} does not run again: ${execution.message}`)
      return { gasUsed: execution.gasUsed, failed: !execution.succeeded, output: execution.output }
    },
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Drops what is undefined: with exact optional properties, that is not the same as absent. */
export function withoutUndefined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>
}
