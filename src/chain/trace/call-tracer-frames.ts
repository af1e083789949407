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
import { type CallFrame, type CallFrameType, isCallFrameType, isCreation } from './call-frame.ts'
import { revertReason } from './revert-reason.ts'

/** The outermost call frames of a block, in the order of its transactions. */
export function framesFromCallTracer(value: unknown, transactionHashes: readonly Hex[]): CallFrame[] {
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
    if (isPresent(traced, 'error')) throw new RpcFieldError(`trace ${index} failed: ${String(traced.error)}`)
    return frameFromCallTracer(traced.result)
  })
}

export function frameFromCallTracer(value: unknown): CallFrame {
  const raw = asObject(value, 'frame')
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
    calls: Array.isArray(raw.calls) ? raw.calls.map(frameFromCallTracer) : [],
  }
}

/** Some recorded chains have a creation as a call without a recipient. */
function typeOf(raw: RpcObject): CallFrameType {
  const type = String(raw.type).toLowerCase()
  if (!isCallFrameType(type)) throw new RpcFieldError(`frame type ${type} is unknown`)
  return type === 'call' && !isPresent(raw, 'to') ? 'create' : type
}

function reportedReason(raw: RpcObject) {
  return typeof raw.revertReason === 'string' ? raw.revertReason : null
}

function optionalBytes(raw: RpcObject, name: string) {
  return isPresent(raw, name) ? bytesOf(raw, name) : EMPTY_BYTES
}

function optionalQuantity(raw: RpcObject, name: string) {
  return isPresent(raw, name) ? quantityOf(raw, name) : 0n
}
