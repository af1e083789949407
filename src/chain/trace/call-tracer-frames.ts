// Reads the output of geth's callTracer, as `debug_traceBlockBy…` returns it: one tree per transaction.

import { EMPTY_BYTES, type Hex } from '../bytes/hex.ts'
import {
  addressOf,
  asObject,
  bytesOf,
  hashOf,
  isPresent,
  quantityOf,
  RpcFieldError,
  type RpcObject,
} from '../rpc/fields.ts'
import { type CallFrame, type CallFrameType, callFrameType, isCreation, type ReadTrace } from './call-frame.ts'
import { revertReason } from './revert-reason.ts'

/** One trace for each transaction of a block. What cannot be read costs the frame, or the trace of its transaction. */
export function framesFromCallTracer(value: unknown, transactionHashes: readonly Hex[]): ReadTrace[] {
  if (!Array.isArray(value)) throw new RpcFieldError('traces are not a list')
  if (value.length !== transactionHashes.length) {
    throw new RpcFieldError(`${value.length} traces for ${transactionHashes.length} transactions`)
  }
  return value.map((item, index) => {
    const traced = asObject(item, 'trace')
    // Older nodes do not send the hash.
    if (isPresent(traced, 'txHash') && hashOf(traced, 'txHash') !== transactionHashes[index]) {
      throw new RpcFieldError(`trace ${index} belongs to another transaction`)
    }
    if (isPresent(traced, 'error')) return { frame: null, unread: [`the node could not trace it: ${traced.error}`] }
    return traceFromCallTracer(traced.result)
  })
}

export function traceFromCallTracer(value: unknown): ReadTrace {
  const unread: string[] = []
  const frame = isNoCall(value) ? null : readFrame(value, unread)
  return { frame, unread }
}

/** op-geth reports a deposit that fails before it executes as an empty frame whose kind is the opcode 0. */
function isNoCall(value: unknown): boolean {
  const { type, calls } = (value ?? {}) as RpcObject
  return type === 'STOP' && calls === undefined
}

function readFrame(value: unknown, unread: string[]): CallFrame | null {
  try {
    return frameFrom(asObject(value, 'frame'), unread)
  } catch (error) {
    if (!(error instanceof RpcFieldError)) throw error
    unread.push(error.message)
    return null
  }
}

/** In place of a frame that cannot be read come the frames inside it, unless they were undone with it. */
function callsIn(value: unknown, unread: string[]): CallFrame[] {
  const calls = (value as { calls?: unknown } | null)?.calls
  if (!Array.isArray(calls)) return []
  return calls.flatMap((call) => {
    const frame = readFrame(call, unread)
    if (frame !== null) return [frame]
    return (call as RpcObject | null)?.error === undefined ? callsIn(call, unread) : []
  })
}

function frameFrom(raw: RpcObject, unread: string[]): CallFrame {
  const type = typeOf(raw)
  const error = isPresent(raw, 'error') ? String(raw.error) : null
  const output = optionalBytes(raw, 'output')
  return {
    type,
    from: addressOf(raw, 'from'),
    to: isCreation({ type }) && (error !== null || !isPresent(raw, 'to')) ? null : addressOf(raw, 'to'),
    value: optionalQuantity(raw, 'value'),
    gas: optionalQuantity(raw, 'gas'),
    gasUsed: optionalQuantity(raw, 'gasUsed'),
    input: optionalBytes(raw, 'input'),
    output,
    error,
    revertReason: error === null ? null : (revertReason(output) ?? reportedReason(raw)),
    calls: callsIn(raw, unread),
  }
}

/** Some recorded chains have a creation as a call without a recipient. */
function typeOf(raw: RpcObject): CallFrameType {
  const type = callFrameType(raw.type)
  if (type === undefined) throw new RpcFieldError(`frame type ${String(raw.type).slice(0, SHOWN_CHARS)} is unknown`)
  return type === 'call' && !isPresent(raw, 'to') ? 'create' : type
}

const SHOWN_CHARS = 40

function reportedReason(raw: RpcObject) {
  return typeof raw.revertReason === 'string' ? raw.revertReason : null
}

function optionalBytes(raw: RpcObject, name: string) {
  return isPresent(raw, name) ? bytesOf(raw, name) : EMPTY_BYTES
}

function optionalQuantity(raw: RpcObject, name: string) {
  return isPresent(raw, name) ? quantityOf(raw, name) : 0n
}
