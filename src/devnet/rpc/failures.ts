// Refusals in the words and with the codes of geth, which clients compare.
import { bytesToHex } from '../../chain/hex.ts'
import { revertReason } from '../../chain/revert-reason.ts'
import type { CallFailure } from '../../evm/call.ts'
import { INVALID_PARAMS, JsonRpcError, LIMIT_EXCEEDED } from '../../lib/json-rpc.ts'

const SERVER_ERROR = -32000
const NOT_SUPPORTED = -32001
const REVERTED = 3
/** EIP-7966. */
const TIMED_OUT = 4

export const serverError = (message: string): JsonRpcError => new JsonRpcError(SERVER_ERROR, message)

export const headerNotFound = (): JsonRpcError => serverError('header not found')

export const invalidParams = (message: string): JsonRpcError => new JsonRpcError(INVALID_PARAMS, message)

export const overLimit = (message: string): JsonRpcError => new JsonRpcError(LIMIT_EXCEEDED, message)

/** EIP-7966: the transaction is in the pool, but not in a block yet. */
export const timedOut = (message: string, hash: string): JsonRpcError => new JsonRpcError(TIMED_OUT, message, hash)

export const onlyOverWebSocket = (): JsonRpcError => new JsonRpcError(NOT_SUPPORTED, 'notifications not supported')

export function callFailed({ type, message }: CallFailure, output: Uint8Array): JsonRpcError {
  if (type !== 'reverted') return serverError(message)
  const reason = revertReason(output)
  return new JsonRpcError(REVERTED, reason === null ? message : `${message}: ${reason}`, bytesToHex(output))
}
