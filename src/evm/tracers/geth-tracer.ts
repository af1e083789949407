// The tracers of geth by name: what a run calls while it executes, and the answer of `debug_trace*` after it.
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import type { RecoveredTransaction } from '../../chain/codec/recovered-transaction.ts'
import { SET_CODE } from '../../chain/codec/transaction.ts'
import { limitExceeded } from '../../lib/json/json-rpc.ts'
import { serverError } from '../call/call-failures.ts'
import type { BlockEnv } from '../core/block-env.ts'
import type { Tracer } from '../core/execution-frame.ts'
import type { WorldState } from '../state/world-state.ts'
import { CallRecorder, type RecordedCall, unbegunCall } from './call-recorder.ts'
import { type CallTracerConfig, toCallTrace } from './call-tracer.ts'
import { type FlatCallTracerConfig, type TracedLocation, toFlatCalls } from './flat-call-tracer.ts'
import { PrestateTracer, type PrestateTracerConfig, type TracedMessage } from './prestate-tracer.ts'
import { StructLogger, type StructLoggerConfig } from './struct-logger.ts'

/** Tracers written in JavaScript are not supported. */
export const GETH_TRACERS = ['callTracer', 'flatCallTracer', 'prestateTracer', 'noopTracer'] as const

/** Without a name, geth takes the struct logger. */
export type TracerChoice = {
  readonly name: (typeof GETH_TRACERS)[number] | 'structLogger'
  readonly config: CallTracerConfig & FlatCallTracerConfig & PrestateTracerConfig
  readonly structLogger: StructLoggerConfig & { readonly maxSteps: number }
}

/** What is traced: a transaction of a block, or a call. */
export type Traced = TracedMessage & {
  readonly gasLimit: bigint
  /** Null for a call that is in no block. */
  readonly location: TracedLocation | null
  /** Index in the block of the first log. */
  readonly firstLogIndex: number
  /** The call to show if the run fails before it makes one. */
  readonly unbegun: RecordedCall | null
}

export function tracedTransaction(
  recovered: RecoveredTransaction,
  block: { readonly hash: Hex; readonly header: { readonly number: number } },
  { index, firstLogIndex }: { readonly index: number; readonly firstLogIndex: number },
): Traced {
  const { transaction, from, hash } = recovered
  return {
    from,
    to: transaction.to,
    authorizations: transaction.type === SET_CODE ? transaction.authorizationList : [],
    gasLimit: transaction.gasLimit,
    location: {
      blockHash: block.hash,
      blockNumber: block.header.number,
      transactionHash: hash,
      transactionPosition: index,
    },
    firstLogIndex,
    unbegun: unbegunCall(recovered),
  }
}

export type TracedRun = { readonly gasUsed: bigint; readonly failed: boolean; readonly output: Uint8Array }

export type GethTracer = {
  readonly tracer: Tracer | undefined
  /** The answer, after the run. */
  answer(run: TracedRun): unknown
}

/** `world` is as it is before the run. */
export function createGethTracer(
  choice: TracerChoice,
  on: { world: WorldState; block: BlockEnv },
  traced: Traced,
): GethTracer {
  const { gasLimit, firstLogIndex, location } = traced
  switch (choice.name) {
    case 'callTracer': {
      const recorder = new CallRecorder()
      return {
        tracer: recorder,
        answer: ({ gasUsed }) =>
          toCallTrace(rootOf(recorder, traced), { gasLimit, gasUsed }, { ...choice.config, firstLogIndex }),
      }
    }
    case 'flatCallTracer': {
      const recorder = new CallRecorder()
      return {
        tracer: recorder,
        answer: ({ gasUsed }) =>
          toFlatCalls(rootOf(recorder, traced), { gasLimit, gasUsed }, { config: choice.config, location }),
      }
    }
    case 'prestateTracer': {
      if (choice.config.diffMode && choice.config.includeEmpty) {
        throw serverError('cannot use diffMode with includeEmpty')
      }
      const tracer = new PrestateTracer(on.world, on.block, choice.config, traced)
      return { tracer, answer: () => tracer.result() }
    }
    case 'noopTracer':
      return { tracer: undefined, answer: () => ({}) }
    case 'structLogger': {
      const { maxSteps, limit = 0, ...shown } = choice.structLogger
      const logger = new StructLogger({ ...shown, limit: Math.min(limit || maxSteps + 1, maxSteps + 1) })
      return { tracer: logger, answer: (run) => structLogs(run, logger, maxSteps) }
    }
  }
}

function rootOf(recorder: CallRecorder, { unbegun }: Traced): RecordedCall {
  const root = recorder.root ?? unbegun
  if (root === null) throw new Error('a run without a call')
  return root
}

function structLogs({ gasUsed, failed, output }: TracedRun, { structLogs }: StructLogger, maxSteps: number) {
  if (structLogs.length > maxSteps) throw limitExceeded(`more than ${maxSteps} steps: set a limit`)
  return { gas: Number(gasUsed), failed, returnValue: bytesToHex(output), structLogs }
}
