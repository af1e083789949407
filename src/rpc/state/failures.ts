// Refusals of JSON-RPC (docs/spec-gaps.md#43), in the words and with the codes of geth, which clients compare.
import type { Hex } from '../../chain/bytes/hex.ts'
import { serverError } from '../../evm/call/call-failures.ts'
import { JsonRpcError, LIMIT_EXCEEDED } from '../../lib/json/json-rpc.ts'

const NOT_SUPPORTED = -32001
/** EIP-7966. */
const TIMED_OUT = 4

export function overLimit(message: string): JsonRpcError {
  return new JsonRpcError(LIMIT_EXCEEDED, message)
}

export function nodeSilent(): JsonRpcError {
  return serverError('the node does not answer')
}

/** The transaction is with the node, but nobody has promised it a place yet. */
export function notIncludedYet(timeoutMs: number, hash: Hex): JsonRpcError {
  return new JsonRpcError(TIMED_OUT, `the transaction was accepted but not included within ${timeoutMs} ms`, hash)
}

export function onlyOverWebSocket(): JsonRpcError {
  return new JsonRpcError(NOT_SUPPORTED, 'notifications not supported')
}
