// The traces of a block, or the reason why there are none.
import { type CheckedBlock, readable } from './check-block.ts'
import { checkedTraces } from './check-traces.ts'
import type { Endpoint } from './endpoint.ts'
import { BadAnswer, ExchangeFailure, PassingRefusal, type UpstreamError } from './failures.ts'
import { type Answer, isMissingMethod, isMissingState, type RpcCall } from './json-rpc.ts'
import type { NodeBlock } from './node-block.ts'
import { CALL_TRACER, type NodeProfile, type TraceMethod } from './profile.ts'

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
