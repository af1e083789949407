// Errors of calls and simulations as JSON-RPC returns them, with the texts and codes of geth, which clients compare.
import { bytesToHex } from '../../chain/bytes/hex.ts'
import { revertReason } from '../../chain/trace/revert-reason.ts'
import { INVALID_PARAMS, JsonRpcError } from '../../lib/json/json-rpc.ts'
import type { Refusal } from '../transaction/refusal.ts'

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

// The following errors have codes that only `eth_simulateV1` uses.

export function outOfOrder(what: 'numbers' | 'timestamps', later: number, earlier: number): JsonRpcError {
  return new JsonRpcError(
    what === 'numbers' ? -38020 : -38021,
    `block ${what} must be in order: ${later} <= ${earlier}`,
  )
}

export function gasOfBlockExceeded(): JsonRpcError {
  return new JsonRpcError(-38015, 'block gas limit reached')
}

export function tooManyBlocks(): JsonRpcError {
  return new JsonRpcError(-38026, 'too many blocks')
}

export function refusedInSimulation({ reason, message }: Refusal, gas: bigint): JsonRpcError {
  return new JsonRpcError(SIMULATION_CODES[reason] ?? SERVER_ERROR, `err: ${message} (supplied gas ${gas})`)
}

const SIMULATION_CODES: Partial<Record<Refusal['reason'], number>> = {
  nonceTooLow: -38010,
  nonceTooHigh: -38011,
  feeCapTooLow: -38012,
  intrinsicGas: -38013,
  floorDataGas: -38013,
  insufficientFunds: -38014,
}
