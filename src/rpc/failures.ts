// Refusals of JSON-RPC (decision 43), in the words and with the codes of geth, which clients compare.
import { bytesToHex, type Hex } from '../chain/hex.ts'
import { revertReason } from '../chain/revert-reason.ts'
import type { CallFailure } from '../evm/call.ts'
import { INVALID_PARAMS, JsonRpcError, LIMIT_EXCEEDED } from '../lib/json-rpc.ts'

const SERVER_ERROR = -32000
const NOT_SUPPORTED = -32001
const REVERTED = 3
/** EIP-7966. */
const TIMED_OUT = 4

export const serverError = (message: string): JsonRpcError => new JsonRpcError(SERVER_ERROR, message)

export const invalidParams = (message: string): JsonRpcError => new JsonRpcError(INVALID_PARAMS, message)

export const overLimit = (message: string): JsonRpcError => new JsonRpcError(LIMIT_EXCEEDED, message)

export const nodeSilent = (): JsonRpcError => serverError('the node does not answer')

/** The transaction is with the node, but nobody has promised it a place yet. */
export const notIncludedYet = (timeoutMs: number, hash: Hex): JsonRpcError =>
  new JsonRpcError(TIMED_OUT, `the transaction was accepted but not included within ${timeoutMs} ms`, hash)

export const onlyOverWebSocket = (): JsonRpcError => new JsonRpcError(NOT_SUPPORTED, 'notifications not supported')

export function callFailed({ type, message }: CallFailure, output: Uint8Array): JsonRpcError {
  if (type !== 'reverted') return serverError(message)
  const reason = revertReason(output)
  return new JsonRpcError(REVERTED, reason === null ? message : `${message}: ${reason}`, bytesToHex(output))
}
