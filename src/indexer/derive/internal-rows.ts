// Internal transactions: every call frame but the outermost, in the order in which they began (docs/spec-gaps.md#18).
import type { CallFrame } from '../../chain/trace/call-frame.ts'
import { INDEXES_A_BLOCK, positionOf } from '../../store/schema/position.ts'
import type { InternalRow } from '../../store/schema/rows.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import { addressText } from './address-text.ts'
import { asNumber, failureText } from './transaction-rows.ts'

/** Null where the node has no traces. */
export function internalRows({ header, traces }: NodeBlock): InternalRow[] | null {
  if (traces === null) return null
  const rows: InternalRow[] = []
  for (const [index, frame] of traces.entries()) {
    if (frame === null) continue
    const transaction = { height: header.number, txPos: positionOf(header.number, index) }
    addCalls(rows, frame, { ...transaction, depth: 1, isReverted: frame.error !== null })
  }
  return rows
}

type CallPosition = {
  readonly height: number
  readonly txPos: number
  readonly depth: number
  readonly isReverted: boolean
}

function addCalls(rows: InternalRow[], caller: CallFrame, position: CallPosition): void {
  for (const frame of caller.calls) {
    if (rows.length === INDEXES_A_BLOCK) return
    const isReverted = position.isReverted || frame.error !== null
    rows.push({
      pos: positionOf(position.height, rows.length),
      txPos: position.txPos,
      depth: position.depth,
      operation: frame.type,
      sender: addressText(frame.from),
      recipient: frame.to === null ? null : addressText(frame.to),
      value: frame.value,
      gas: asNumber(frame.gas),
      gasUsed: asNumber(frame.gasUsed),
      status: isReverted ? 0 : 1,
      error: failureText(frame),
    })
    addCalls(rows, frame, { ...position, depth: position.depth + 1, isReverted })
  }
}
