// Internal transactions of a block.
import { addInternalRows } from '../../store/schema/internal-rows.ts'
import { positionOf } from '../../store/schema/position.ts'
import type { InternalRow } from '../../store/schema/rows.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import { addressText } from './address-text.ts'

/** Null where the node has no traces. */
export function internalRows({ header: { number: height }, traces }: NodeBlock): InternalRow[] | null {
  if (traces === null) return null
  const rows: InternalRow[] = []
  for (const [index, frame] of traces.entries()) {
    if (frame !== null) addInternalRows(rows, frame, { height, txPos: positionOf(height, index), addressText })
  }
  return rows
}
