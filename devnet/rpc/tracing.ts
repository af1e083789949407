// Runs a message or transaction with one of geth's tracers.
import { z } from 'zod'
import { bytesToHex } from '../../src/chain/bytes/hex.ts'
import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { serverError } from '../../src/evm/call/call-failures.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import type { Tracer } from '../../src/evm/core/execution-frame.ts'
import type { WorldState } from '../../src/evm/state/world-state.ts'
import { CallRecorder, type RecordedCall, unbegunCall } from '../../src/evm/tracers/call-recorder.ts'
import { toCallTrace } from '../../src/evm/tracers/call-tracer.ts'
import { toParityTraces } from '../../src/evm/tracers/parity-trace.ts'
import { tracePrestate, tracePrestateDiff } from '../../src/evm/tracers/prestate-tracer.ts'
import { StructLogger } from '../../src/evm/tracers/struct-logger.ts'
import { executeTransaction } from '../../src/evm/transaction/transaction.ts'
import type { DevnetChain } from '../chain/chain.ts'
import type { ChainBlock } from '../chain/included-transaction.ts'
import { stateIsGone } from './block-lookup.ts'
import { overLimit } from './failures.ts'

/** Steps of one run; a step with its stack takes about half a kilobyte. */
const MAX_STEPS = 200_000

const flag = z.boolean().optional()

/** Tracers written in JavaScript are not supported. */
export const traceConfig = z
  .object({
    tracer: z
      .enum(['callTracer', 'prestateTracer', 'flatCallTracer', 'noopTracer'], {
        error: 'must be callTracer, prestateTracer, flatCallTracer or noopTracer',
      })
      .nullish(),
    tracerConfig: z.object({ onlyTopCall: flag, withLog: flag, diffMode: flag }).nullish(),
    enableMemory: flag,
    disableStack: flag,
    disableStorage: flag,
    limit: z.int().nonnegative().max(MAX_STEPS, `must be at most ${MAX_STEPS}`).optional(),
  })
  .nullish()
  .transform((config) => config ?? {})

export type TraceConfig = z.output<typeof traceConfig>

/** A run on a world. */
export type Traceable = {
  readonly gasLimit: bigint
  /** The call to show if the run fails before it makes one. */
  readonly unbegun: RecordedCall | null
  run(
    world: WorldState,
    tracer?: Tracer,
  ): { readonly gasUsed: bigint; readonly failed: boolean; readonly output: Uint8Array }
}

/** Executes the run and returns the trace. The world keeps the changes of the run. */
export function trace(world: WorldState, traceable: Traceable, config: TraceConfig): unknown {
  const { tracer, tracerConfig } = config
  switch (tracer ?? 'structLogger') {
    case 'callTracer': {
      const { root, gasUsed } = recordCalls(world, traceable)
      return toCallTrace(root, { gasLimit: traceable.gasLimit, gasUsed }, withoutUndefined(tracerConfig ?? {}))
    }
    case 'flatCallTracer':
      return toParityTraces(recordCalls(world, traceable).root)
    case 'prestateTracer': {
      const tracePart = tracerConfig?.diffMode === true ? tracePrestateDiff : tracePrestate
      const traced = tracePart(world, (above) => traceable.run(above))
      traceable.run(world)
      return traced
    }
    case 'noopTracer':
      traceable.run(world)
      return {}
    default: {
      const logger = new StructLogger({ ...withoutUndefined(config), limit: config.limit || MAX_STEPS + 1 })
      const { gasUsed, failed, output } = traceable.run(world, logger)
      if (logger.structLogs.length > MAX_STEPS) throw overLimit(`more than ${MAX_STEPS} steps: set a limit`)
      return { gas: Number(gasUsed), failed, returnValue: bytesToHex(output), structLogs: logger.structLogs }
    }
  }
}

export function recordCalls(world: WorldState, traceable: Traceable): { root: RecordedCall; gasUsed: bigint } {
  const recorder = new CallRecorder()
  const { gasUsed } = traceable.run(world, recorder)
  const root = recorder.root ?? traceable.unbegun
  if (root === null) throw new Error('a run without a call')
  return { root, gasUsed }
}

export type ReplayedTransaction = { readonly world: WorldState; readonly traceable: Traceable; readonly index: number }

/** Run each one before you take the next. */
export function* replayBlock(chain: DevnetChain, block: ChainBlock): Generator<ReplayedTransaction> {
  if (block.header.number === 0) throw serverError('genesis is not traceable')
  const replay = chain.worldBefore(block, 0)
  if (replay === null) throw stateIsGone(block)
  let { gasUsedBefore } = replay
  for (const [index, { recovered, gasUsed }] of block.transactions.entries()) {
    yield { world: replay.world, traceable: traceableOf(recovered, replay.env, gasUsedBefore), index }
    gasUsedBefore += gasUsed
  }
}

export function replayOne(chain: DevnetChain, block: ChainBlock, index: number): ReplayedTransaction {
  const replay = chain.worldBefore(block, index)
  if (replay === null) throw stateIsGone(block)
  const { recovered } = block.transactions[index]!
  return { world: replay.world, traceable: traceableOf(recovered, replay.env, replay.gasUsedBefore), index }
}

function traceableOf(recovered: RecoveredTransaction, env: BlockEnv, gasUsedBefore: bigint): Traceable {
  return {
    gasLimit: recovered.transaction.gasLimit,
    unbegun: unbegunCall(recovered),
    run(world, tracer) {
      const execution = executeTransaction(world, env, recovered, { tracer, gasUsedBefore })
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
