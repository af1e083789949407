// Why a call does not run, and how it failed, as JSON-RPC says it: in the words and with the codes of geth, which clients compare.
import { bytesToHex } from '../../chain/bytes/hex.ts'
import { revertReason } from '../../chain/trace/revert-reason.ts'
import { INVALID_PARAMS, JsonRpcError } from '../../lib/json/json-rpc.ts'

export type CallFailure = {
  /** Refused: the call never began. Halted: the code broke a rule of the EVM, or ran out of gas. */
  readonly type: 'refused' | 'reverted' | 'halted'
  readonly message: string
}

const SERVER_ERROR = -32000
const REVERTED = 3

export function serverError(message: string): JsonRpcError {
  return new JsonRpcError(SERVER_ERROR, message)
}

export function invalidParams(message: string): JsonRpcError {
  return new JsonRpcError(INVALID_PARAMS, message)
}

export function callFailed({ type, message }: CallFailure, output: Uint8Array): JsonRpcError {
  if (type !== 'reverted') return serverError(message)
  const reason = revertReason(output)
  return new JsonRpcError(REVERTED, reason === null ? message : `${message}: ${reason}`, bytesToHex(output))
}
