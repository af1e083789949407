// One run seen through one of geth's tracers.
import { z } from 'zod'
import { bytesToHex } from '../../src/chain/bytes/hex.ts'
import type { Tracer } from '../../src/evm/core/execution-frame.ts'
import type { WorldState } from '../../src/evm/state/world-state.ts'
import { CallRecorder, type RecordedCall } from '../../src/evm/tracers/call-recorder.ts'
import { toCallTrace } from '../../src/evm/tracers/call-tracer.ts'
import { toParityTraces } from '../../src/evm/tracers/parity-trace.ts'
import { tracePrestate, tracePrestateDiff } from '../../src/evm/tracers/prestate-tracer.ts'
import { StructLogger } from '../../src/evm/tracers/struct-logger.ts'
import { overLimit } from './failures.ts'
import { withoutUndefined } from './without-undefined.ts'

/** Of one run: a step with its stack takes about half a kilobyte. */
const MAX_STEPS = 200_000

const flag = z.boolean().optional()

/** Tracers in JavaScript are not run. */
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

/** Something that can be run on a world. */
export type Traceable = {
  readonly gasLimit: bigint
  /** What shows as the call where the run may fail before it makes one. */
  readonly unbegun: RecordedCall | null
  run(
    world: WorldState,
    tracer?: Tracer,
  ): { readonly gasUsed: bigint; readonly failed: boolean; readonly output: Uint8Array }
}

/** Runs it, and gives what the tracer says of it. The world is afterwards as the run left it. */
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
  if (root === null) throw new Error('a run that made no call')
  return { root, gasUsed }
}
