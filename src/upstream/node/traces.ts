// The traces of a block, or the reason why there are none.

import { type CallFrame, isCreation } from '../../chain/trace/call-frame.ts'
import { framesFromCallTracer } from '../../chain/trace/call-tracer-frames.ts'
import { framesFromParity } from '../../chain/trace/parity-frames.ts'
import type { CheckedBlock } from './check-block.ts'
import { readable } from './check-block.ts'
import type { Endpoint } from './endpoint.ts'
import { BadAnswer, ExchangeFailure, PassingRefusal, type UpstreamError } from './failures.ts'
import { type Answer, isMissingMethod, isMissingState, type RpcCall } from './json-rpc.ts'
import type { NodeBlock } from './node-block.ts'
import type { TraceMethod } from './profile.ts'
import { CALL_TRACER, type NodeProfile } from './profile.ts'

/** How often a block could not be traced, by height. */
export type TraceAttempts = Map<number, number>

export function traceCall(method: TraceMethod, at: string): RpcCall {
  switch (method) {
    case 'debug_traceBlockByNumber':
      return { method, params: [at, CALL_TRACER] }
    case 'trace_block':
      return { method, params: [at] }
  }
}

/** Throws `Trouble` for another attempt; but a tracer that stumbles over a block time and again must not stop the index. */
export function withTraces(
  block: CheckedBlock,
  answer: Answer,
  { traces: { method, reason }, attempts }: { traces: NodeProfile['traces']; attempts: TraceAttempts },
): NodeBlock {
  if (block.transactions.length === 0) return { ...block, traces: [], noTracesReason: null }
  if (method === null) return { ...block, traces: null, noTracesReason: reason }
  const traced = tracesIn(answer, method, block)
  if ('traces' in traced) return { ...block, traces: traced.traces, noTracesReason: null }
  const { number: height } = block.header
  const count = (attempts.get(height) ?? 0) + 1
  attempts.set(height, count)
  if (count < MOST_ATTEMPTS && !traced.isFinal) throw traced.trouble
  return { ...block, traces: null, noTracesReason: traced.trouble.message }
}

type Traced = { traces: NonNullable<NodeBlock['traces']> } | { trouble: UpstreamError; isFinal: boolean }

function tracesIn(answer: Answer, method: TraceMethod, block: CheckedBlock): Traced {
  if (answer.type === 'refused') {
    return {
      trouble: new PassingRefusal(`${method}: ${answer.message}`),
      isFinal: isMissingState(answer) || isMissingMethod(answer),
    }
  }
  try {
    return { traces: readable(() => checkedTraces(answer.result, method, block)) }
  } catch (trouble) {
    if (trouble instanceof BadAnswer) return { trouble, isFinal: false }
    throw trouble
  }
}

/** Asked for alone, so that traces which take too long, or too much room, do not keep the rest of the block away: they are a refusal. */
export async function traceAnswer(endpoint: Endpoint, call: RpcCall, signal: AbortSignal): Promise<Answer> {
  try {
    const [answer] = await endpoint.exchange([call], signal)
    return answer!
  } catch (error) {
    const isTooMuch = error instanceof ExchangeFailure && (error.kind === 'timeout' || error.kind === 'too large')
    if (isTooMuch) return { type: 'refused', code: 0, message: error.message }
    throw error
  }
}

const MOST_ATTEMPTS = 8

/** Throws `BadAnswer`, or `RpcFieldError` for what cannot be read. */
export function checkedTraces(value: unknown, method: TraceMethod, block: CheckedBlock): (CallFrame | null)[] {
  const transactionHashes = block.transactions.map(({ hash }) => hash)
  const frames = readFrames(value, method, { hash: block.hash, transactionHashes })
  return frames.map((frame, index) => {
    if (frame === null) return null
    const { transaction, from, hash } = block.transactions[index]!
    const isSameCall = isCreation(frame) ? transaction.to === null : frame.to === transaction.to
    if (!isSameCall || frame.from !== from || frame.value !== transaction.value) {
      throw new BadAnswer(`the trace of ${hash} begins with another call`)
    }
    // Nodes differ in what they call the gas of the outermost call; the receipt also knows the address of a contract without one.
    const { gasUsed, contractAddress } = block.receipts[index]!
    const to = frame.error === null ? (frame.to ?? contractAddress) : frame.to
    return { ...frame, to, gas: transaction.gasLimit, gasUsed }
  })
}

type TracedBlock = Parameters<typeof framesFromParity>[1]

function readFrames(value: unknown, method: TraceMethod, block: TracedBlock): (CallFrame | null)[] {
  switch (method) {
    case 'debug_traceBlockByNumber':
      return framesFromCallTracer(value, block.transactionHashes)
    case 'trace_block':
      return framesFromParity(value, block)
  }
}
