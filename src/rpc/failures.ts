// Refusals of JSON-RPC (decision 43), in the words and with the codes of geth, which clients compare.
import { bytesToHex, type Hex } from '../chain/hex.ts'
import { revertReason } from '../chain/revert-reason.ts'
import type { CallFailure } from '../evm/call.ts'
import type { Refusal } from '../evm/refusal.ts'
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

// Codes of eth_simulateV1.

export const outOfOrder = (what: 'numbers' | 'timestamps', later: number, earlier: number): JsonRpcError =>
  new JsonRpcError(what === 'numbers' ? -38020 : -38021, `block ${what} must be in order: ${later} <= ${earlier}`)

export const gasOfBlockExceeded = (): JsonRpcError => new JsonRpcError(-38015, 'block gas limit reached')

export const tooManyBlocks = (most: number): JsonRpcError => new JsonRpcError(-38026, `more than ${most} blocks`)

export const refusedInSimulation = ({ reason, message }: Refusal): JsonRpcError =>
  new JsonRpcError(SIMULATION_CODES[reason] ?? SERVER_ERROR, `err: ${message}`)

const SIMULATION_CODES: Partial<Record<Refusal['reason'], number>> = {
  nonceTooLow: -38010,
  nonceTooHigh: -38011,
  feeCapTooLow: -38012,
  intrinsicGas: -38013,
  floorDataGas: -38013,
  insufficientFunds: -38014,
}
