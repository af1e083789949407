// Why a simulation does not run, with the codes that `eth_simulateV1` has for it.
import { JsonRpcError } from '../../lib/json/json-rpc.ts'
import type { Refusal } from '../transaction/refusal.ts'

export function outOfOrder(what: 'numbers' | 'timestamps', later: number, earlier: number): JsonRpcError {
  return new JsonRpcError(
    what === 'numbers' ? -38020 : -38021,
    `block ${what} must be in order: ${later} <= ${earlier}`,
  )
}

export function gasOfBlockExceeded(): JsonRpcError {
  return new JsonRpcError(-38015, 'block gas limit reached')
}

export function tooManyBlocks(most: number): JsonRpcError {
  return new JsonRpcError(-38026, `more than ${most} blocks`)
}

export function refusedInSimulation({ reason, message }: Refusal, gas: bigint): JsonRpcError {
  return new JsonRpcError(CODES[reason] ?? SERVER_ERROR, `err: ${message} (supplied gas ${gas})`)
}

const SERVER_ERROR = -32000

const CODES: Partial<Record<Refusal['reason'], number>> = {
  nonceTooLow: -38010,
  nonceTooHigh: -38011,
  feeCapTooLow: -38012,
  intrinsicGas: -38013,
  floorDataGas: -38013,
  insufficientFunds: -38014,
}
