// Internal transactions: every frame but the outermost, in the order in which they began (docs/spec-gaps.md#18).
import type { CallFrame } from '../../chain/trace/call-frame.ts'
import { INDEXES_A_BLOCK, positionOf } from '../../store/schema/position.ts'
import type { InternalRow } from '../../store/schema/rows.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import { addressText } from './address-text.ts'
import { failureOf } from './call-frame-failure.ts'
import { asNumber } from './transaction-rows.ts'

/** Null where the node has no traces. */
export function internalRows({ header, traces }: NodeBlock): InternalRow[] | null {
  if (traces === null) return null
  const rows: InternalRow[] = []
  for (const [index, frame] of traces.entries()) {
    if (frame === null) continue
    const place = { height: header.number, txPos: positionOf(header.number, index) }
    addCalls(rows, frame, { ...place, depth: 1, isUndone: frame.error !== null })
  }
  return rows
}

type Place = { readonly height: number; readonly txPos: number; readonly depth: number; readonly isUndone: boolean }

function addCalls(rows: InternalRow[], caller: CallFrame, place: Place): void {
  for (const frame of caller.calls) {
    if (rows.length === INDEXES_A_BLOCK) return
    const isUndone = place.isUndone || frame.error !== null
    rows.push({
      pos: positionOf(place.height, rows.length),
      txPos: place.txPos,
      depth: place.depth,
      operation: frame.type,
      sender: addressText(frame.from),
      recipient: frame.to === null ? null : addressText(frame.to),
      value: frame.value,
      gas: asNumber(frame.gas),
      gasUsed: asNumber(frame.gasUsed),
      status: isUndone ? 0 : 1,
      error: failureOf(frame),
    })
    addCalls(rows, frame, { ...place, depth: place.depth + 1, isUndone })
  }
}
