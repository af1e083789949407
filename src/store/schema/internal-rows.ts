// Internal transactions of one trace: every call frame but the outermost, in the order in which they began (docs/spec-gaps.md#18), and
// the trace again from them.
import { addressToHex, type Hex, hexToAddress } from '../../chain/bytes/hex.ts'
import type { CallFrame } from '../../chain/trace/call-frame.ts'
import { INDEXES_A_BLOCK, positionOf } from './position.ts'
import type { InternalRow, TransactionRow } from './rows.ts'

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

/** What a trace can be built from again where the node does not have it any more. */
export type StoredCalls = {
  readonly transactions: readonly TransactionRow[]
  readonly internals: readonly InternalRow[]
  /** Contracts that were created in these transactions. */
  readonly created: ReadonlySet<Hex>
}

/** The outermost call of each transaction. Inputs are missing, and an output says only whether a contract was created. */
export function framesFromRows({ transactions, internals, created }: StoredCalls): CallFrame[] {
  const rowsOf = Map.groupBy(internals, ({ txPos }) => txPos)
  return transactions.map((transaction) => {
    const { pos, recipient, contractAddress, status, error } = transaction
    const hasFailed = status === 0 || (status === null && error !== null)
    const outermost = frameFromRow(
      {
        ...transaction,
        operation: recipient === null ? 'create' : 'call',
        recipient: recipient ?? contractAddress,
        gas: transaction.gasLimit,
        error: hasFailed ? (error ?? FAILED) : null,
      },
      created,
    )
    const callers = [outermost]
    for (const row of rowsOf.get(pos) ?? []) {
      const frame = frameFromRow(row, created)
      callers[row.depth - 1]!.calls.push(frame)
      callers[row.depth] = frame
    }
    return outermost
  })
}

type BuiltFrame = Omit<CallFrame, 'calls'> & { readonly calls: BuiltFrame[] }

function frameFromRow(
  row: Omit<InternalRow, 'pos' | 'txPos' | 'depth' | 'status'>,
  created: ReadonlySet<Hex>,
): BuiltFrame {
  const { operation, recipient } = row
  const isNewContract = (operation === 'create' || operation === 'create2') && created.has(recipient ?? '0x')
  return {
    type: operation,
    from: hexToAddress(row.sender),
    to: recipient === null ? null : hexToAddress(recipient),
    value: row.value,
    gas: BigInt(row.gas),
    gasUsed: BigInt(row.gasUsed),
    input: NO_BYTES,
    output: isNewContract ? SOME_CODE : NO_BYTES,
    error: row.error,
    revertReason: null,
    calls: [],
  }
}

const NO_BYTES = new Uint8Array(0)
const SOME_CODE = new Uint8Array(1)
const FAILED = 'execution reverted'
