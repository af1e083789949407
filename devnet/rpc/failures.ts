// Refusals in the words and with the codes of geth, which clients compare.
import { serverError } from '../../src/evm/call/call-failures.ts'
import { JsonRpcError, LIMIT_EXCEEDED } from '../../src/lib/json/json-rpc.ts'

const NOT_SUPPORTED = -32001
/** EIP-7966. */
const TIMED_OUT = 4

export function headerNotFound(): JsonRpcError {
  return serverError('header not found')
}

export function overLimit(message: string): JsonRpcError {
  return new JsonRpcError(LIMIT_EXCEEDED, message)
}

/** EIP-7966: the transaction is in the pool, but not in a block yet. */
export function timedOut(message: string, hash: string): JsonRpcError {
  return new JsonRpcError(TIMED_OUT, message, hash)
}

export function onlyOverWebSocket(): JsonRpcError {
  return new JsonRpcError(NOT_SUPPORTED, 'notifications not supported')
}
