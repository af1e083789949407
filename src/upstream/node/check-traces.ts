// Traces are committed to by nothing: all that can be checked is that they are of these transactions and begin as these do.
import { type CallFrame, isCreation } from '../../chain/trace/call-frame.ts'
import { framesFromCallTracer } from '../../chain/trace/call-tracer-frames.ts'
import { framesFromParity } from '../../chain/trace/parity-frames.ts'
import type { CheckedBlock } from './check-block.ts'
import { BadAnswer } from './failures.ts'
import type { TraceMethod } from './profile.ts'

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
