// Which tracer a client asks for, from the config of `debug_trace*`.
import type { z } from 'zod'
import type { traceConfig } from '../../contract/rpc-further.ts'
import { invalidParams } from '../../evm/call/call-failures.ts'
import { GETH_TRACERS, type TracerChoice } from '../../evm/tracers/geth-tracer.ts'

/** Steps of one run with the default tracer; a step with its stack takes about half a kilobyte. */
const MAX_STEPS = 20_000

export type TraceConfig = z.output<typeof traceConfig> | null | undefined

export function tracerChoice(config: TraceConfig): TracerChoice {
  const { tracer, tracerConfig, enableMemory, disableStack, disableStorage, limit } = config ?? {}
  return {
    name: tracer ? namedTracer(tracer) : 'structLogger',
    config: withoutNullish(tracerConfig ?? {}),
    structLogger: { ...withoutNullish({ enableMemory, disableStack, disableStorage, limit }), maxSteps: MAX_STEPS },
  }
}

function namedTracer(name: string): TracerChoice['name'] {
  const known = GETH_TRACERS.find((each) => each === name)
  if (known === undefined)
    throw invalidParams(`on preconfirmed blocks the tracer must be one of ${GETH_TRACERS.join(', ')}`)
  return known
}

type Present<T> = { [K in keyof T]?: NonNullable<T[K]> }

function withoutNullish<T extends object>(object: T): Present<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<T>
}
