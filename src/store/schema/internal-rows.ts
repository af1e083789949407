// Internal transactions of one trace: every call frame but the outermost, in the order in which they began (docs/spec-gaps.md#18).
import { addressToHex, type Hex } from '../../chain/bytes/hex.ts'
import type { CallFrame } from '../../chain/trace/call-frame.ts'
import { INDEXES_A_BLOCK, positionOf } from './position.ts'
import type { InternalRow } from './rows.ts'

export type TracePosition = {
  readonly height: number
  readonly txPos: number
  /** How an address is written; a writer of many rows may know it already. */
  readonly addressText?: (address: bigint) => Hex
}

/** Adds them to the rows of the block so far, whose number is the next index. */
export function addInternalRows(rows: InternalRow[], outermost: CallFrame, position: TracePosition): void {
  addCalls(rows, outermost, { addressText: addressToHex, ...position, depth: 1, isReverted: outermost.error !== null })
}

type CallPosition = Required<TracePosition> & { readonly depth: number; readonly isReverted: boolean }

function addCalls(rows: InternalRow[], caller: CallFrame, position: CallPosition): void {
  const { height, txPos, depth, addressText } = position
  for (const frame of caller.calls) {
    if (rows.length === INDEXES_A_BLOCK) return
    const isReverted = position.isReverted || frame.error !== null
    rows.push({
      pos: positionOf(height, rows.length),
      txPos,
      depth,
      operation: frame.type,
      sender: addressText(frame.from),
      recipient: frame.to === null ? null : addressText(frame.to),
      value: frame.value,
      gas: asNumber(frame.gas),
      gasUsed: asNumber(frame.gasUsed),
      status: isReverted ? 0 : 1,
      error: failureText(frame),
    })
    addCalls(rows, frame, { ...position, depth: depth + 1, isReverted })
  }
}

/** Gas limits and nonces may be up to 2^64 - 1. Real ones are safe integers; anything larger is stored as the largest safe integer. */
export function asNumber(value: bigint): number {
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
}

/** Why a call frame failed; null if it succeeded. */
export function failureText({ error, revertReason }: CallFrame): string | null {
  const text = revertReason ?? error
  // PostgreSQL refuses U+0000, and a revert reason may be of any length.
  return text === null ? null : text.replaceAll('\u0000', '').slice(0, MAX_FAILURE_CHARS)
}

const MAX_FAILURE_CHARS = 1_000
