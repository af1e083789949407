// The traces of a block, or the reason why there are none.

import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { isCreation, type ReadTrace } from '../../chain/trace/call-frame.ts'
import { framesFromCallTracer } from '../../chain/trace/call-tracer-frames.ts'
import { framesFromParity } from '../../chain/trace/parity-frames.ts'
import type { CheckedBlock } from './check-block.ts'
import { readable } from './check-block.ts'
import type { Endpoint } from './endpoint.ts'
import { BadAnswer, ExchangeFailure, PassingRefusal, type UpstreamError } from './failures.ts'
import { type Answer, isMissingMethod, isMissingState, type RpcCall } from './json-rpc.ts'
import type { NodeBlock, UnreadTrace } from './node-block.ts'
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

/** Throws an `UpstreamError` for another attempt; but a tracer that fails for one block again and again must not stop the index. */
export function withTraces(
  block: CheckedBlock,
  answer: Answer,
  { traces: { method, reason }, attempts }: { traces: NodeProfile['traces']; attempts: TraceAttempts },
): NodeBlock {
  if (block.transactions.length === 0) return traced(block, [])
  if (method === null) return untraced(block, reason)
  const found = tracesIn(answer, method, block)
  if ('traces' in found) return traced(block, found.traces)
  const { number: height } = block.header
  const count = (attempts.get(height) ?? 0) + 1
  attempts.set(height, count)
  if (count < MOST_ATTEMPTS && !found.isFinal) throw found.problem
  return untraced(block, found.problem.message)
}

function traced(block: CheckedBlock, traces: readonly ReadTrace[]): NodeBlock {
  const unreadTraces = traces.flatMap(({ unread }, transactionIndex): UnreadTrace[] =>
    unread.length === 0 ? [] : [{ transactionIndex, frames: unread.length, reason: unread[0]! }],
  )
  return { ...block, traces: traces.map(({ frame }) => frame), noTracesReason: null, unreadTraces }
}

function untraced(block: CheckedBlock, noTracesReason: string): NodeBlock {
  return { ...block, traces: null, noTracesReason, unreadTraces: [] }
}

type Traced = { traces: readonly ReadTrace[] } | { problem: UpstreamError; isFinal: boolean }

function tracesIn(answer: Answer, method: TraceMethod, block: CheckedBlock): Traced {
  if (answer.type === 'refused') {
    return {
      problem: new PassingRefusal(`${method}: ${answer.message}`),
      isFinal: isMissingState(answer) || isMissingMethod(answer),
    }
  }
  try {
    return { traces: readable(() => checkedTraces(answer.result, method, block)) }
  } catch (problem) {
    if (problem instanceof BadAnswer) return { problem, isFinal: false }
    throw problem
  }
}

/** Asked for alone, so that traces that are too slow or too large do not delay the rest of the block: they count as a refusal. */
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
function checkedTraces(value: unknown, method: TraceMethod, block: CheckedBlock): ReadTrace[] {
  const transactionHashes = block.transactions.map(({ hash }) => hash)
  const traces = readTraces(value, method, { hash: block.hash, transactionHashes })
  return traces.map(({ frame, unread }, index) => {
    const { transaction, from, hash } = block.transactions[index]!
    if (frame === null) {
      // Only a deposit can fail before its outermost call.
      const isExpected = transaction.type === DEPOSIT && block.receipts[index]!.receipt.status === 0
      return { frame, unread: isExpected || unread.length > 0 ? unread : ['the node reports no call of it'] }
    }
    const isSameCall = isCreation(frame) ? transaction.to === null : frame.to === transaction.to
    if (!isSameCall || frame.from !== from || frame.value !== transaction.value) {
      throw new BadAnswer(`the trace of ${hash} begins with another call`)
    }
    // Nodes differ in what they call the gas of the outermost call; the receipt also knows the address of a contract without one.
    const { gasUsed, contractAddress } = block.receipts[index]!
    const to = frame.error === null ? (frame.to ?? contractAddress) : frame.to
    return { frame: { ...frame, to, gas: transaction.gasLimit, gasUsed }, unread }
  })
}

type TracedBlock = Parameters<typeof framesFromParity>[1]

function readTraces(value: unknown, method: TraceMethod, block: TracedBlock): ReadTrace[] {
  switch (method) {
    case 'debug_traceBlockByNumber':
      return framesFromCallTracer(value, block.transactionHashes)
    case 'trace_block':
      return framesFromParity(value, block)
  }
}
