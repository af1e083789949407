// Reads Parity's flat traces, as `trace_block` returns them: the calls of all transactions in the order they began, each with its path.

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
import { type CallFrame, callFrameType, type ReadTrace } from './call-frame.ts'
import { revertReason } from './revert-reason.ts'

/** One trace for each transaction of a block. What cannot be read costs the frame. */
export function framesFromParity(
  value: unknown,
  block: { readonly hash: Hex; readonly transactionHashes: readonly Hex[] },
): ReadTrace[] {
  if (!Array.isArray(value)) throw new RpcFieldError('traces are not a list')
  const traces = block.transactionHashes.map((): OpenTrace => ({ frame: null, path: undefined, unread: [] }))
  for (const item of value) {
    const raw = asObject(item, 'trace')
    // Block rewards are in the list, but belong to no transaction.
    if (raw.type === 'reward') continue
    if (hashOf(raw, 'blockHash') !== block.hash) throw new RpcFieldError('a trace belongs to another block')
    const position = raw.transactionPosition as number
    const trace = traces[position]
    const depth = depthOf(raw)
    const isSecondRoot = depth === 0 && trace?.path !== undefined
    if (trace === undefined || isSecondRoot || block.transactionHashes[position] !== raw.transactionHash) {
      throw new RpcFieldError(`trace of transaction ${position} does not fit the block`)
    }
    add(trace, depth, raw)
  }
  return traces.map(({ frame, unread }) => ({ frame, unread }))
}

/** `path` is the open frame at each depth: in place of one that could not be read, the one around it. Undefined before the first. */
type OpenTrace = { frame: OpenFrame | null; path: (OpenFrame | null)[] | undefined; readonly unread: string[] }

type OpenFrame = CallFrame & { readonly calls: CallFrame[] }

function add(trace: OpenTrace, depth: number, raw: RpcObject): void {
  const path = trace.path ?? []
  const parent = depth === 0 ? null : path[depth - 1]
  if (parent === undefined) throw new RpcFieldError('a trace comes before its parent call')
  const frame = readFrame(trace, raw)
  if (depth === 0) trace.frame = frame
  else if (frame !== null && parent !== null) parent.calls.push(frame)
  else if (frame !== null) trace.unread.push('the call around it could not be read')
  path.length = depth
  path.push(frame ?? parent)
  trace.path = path
}

function readFrame({ unread }: OpenTrace, raw: RpcObject): OpenFrame | null {
  try {
    return frameFrom(raw)
  } catch (error) {
    if (!(error instanceof RpcFieldError)) throw error
    unread.push(error.message)
    return null
  }
}

function depthOf(raw: RpcObject): number {
  if (!Array.isArray(raw.traceAddress)) throw new RpcFieldError('traceAddress is not a list')
  return raw.traceAddress.length
}

function frameFrom(raw: RpcObject): OpenFrame {
  const action = asObject(raw.action, 'action')
  const result = isPresent(raw, 'result') ? asObject(raw.result, 'result') : {}
  const error = isPresent(raw, 'error') ? gethError(String(raw.error)) : null
  const shared = { error, gasUsed: optionalQuantity(result, 'gasUsed'), calls: [] }
  switch (raw.type) {
    case 'call': {
      const type = callFrameType(action.callType ?? 'call')
      if (type === undefined) throw new RpcFieldError(`call type ${String(action.callType)} is unknown`)
      const output = optionalBytes(result, 'output')
      return {
        ...shared,
        type,
        from: addressOf(action, 'from'),
        to: addressOf(action, 'to'),
        value: optionalQuantity(action, 'value'),
        gas: optionalQuantity(action, 'gas'),
        input: optionalBytes(action, 'input'),
        output,
        revertReason: error === null ? null : revertReason(output),
      }
    }
    case 'create': {
      const output = optionalBytes(result, isPresent(result, 'code') ? 'code' : 'output')
      return {
        ...shared,
        type: action.creationMethod === 'create2' ? 'create2' : 'create',
        from: addressOf(action, 'from'),
        to: error === null ? addressOf(result, 'address') : null,
        value: optionalQuantity(action, 'value'),
        gas: optionalQuantity(action, 'gas'),
        input: optionalBytes(action, 'init'),
        output,
        revertReason: error === null ? null : revertReason(output),
      }
    }
    case 'suicide':
    case 'selfdestruct':
      return {
        ...shared,
        type: 'selfdestruct',
        from: addressOf(action, 'address'),
        to: addressOf(action, 'refundAddress'),
        value: optionalQuantity(action, 'balance'),
        gas: 0n,
        input: EMPTY_BYTES,
        output: EMPTY_BYTES,
        revertReason: null,
      }
    default:
      throw new RpcFieldError(`trace type ${String(raw.type)} is unknown`)
  }
}

function optionalBytes(raw: RpcObject, name: string) {
  return isPresent(raw, name) ? bytesOf(raw, name) : EMPTY_BYTES
}

function optionalQuantity(raw: RpcObject, name: string) {
  return isPresent(raw, name) ? quantityOf(raw, name) : 0n
}

function gethError(error: string): string {
  return GETH_ERRORS.get(error.toLowerCase()) ?? error
}

const GETH_ERRORS: ReadonlyMap<string, string> = new Map([
  ['reverted', 'execution reverted'],
  ['out of gas', 'out of gas'],
  ['bad jump destination', 'invalid jump destination'],
  ['bad instruction', 'invalid opcode'],
  ['stack underflow', 'stack underflow'],
  ['out of stack', 'stack limit reached'],
  ['mutable call in static context', 'write protection'],
  ['out of bounds', 'return data out of bounds'],
])
