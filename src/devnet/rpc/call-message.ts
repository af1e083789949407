// A call object as the engine takes it, and the block it runs in.
import { EMPTY_BYTES } from '../../chain/hex.ts'
import type { CallMessage } from '../../evm/call.ts'
import type { BlockEnv } from '../../evm/machine.ts'
import { smaller } from '../../evm/word.ts'
import { invalidParams, serverError } from './failures.ts'
import type { BlockOverrides, CallObject } from './params.ts'

/** A call may take as long as a very large block. */
export const CALL_GAS_CAP = 100_000_000n

export function callMessage(call: CallObject, block: BlockEnv): Required<CallMessage> {
  const { from, to, value, accessList, authorizationList, blobVersionedHashes } = call
  return {
    from: from ?? 0n,
    to: to ?? null,
    data: dataOf(call),
    value: value ?? 0n,
    gas: smaller(call.gas ?? block.gasLimit, CALL_GAS_CAP),
    gasPrice: gasPriceOf(call, block.baseFee),
    accessList: accessList ?? [],
    authorizations: authorizationList ?? [],
    blobHashes: blobVersionedHashes ?? [],
  }
}

/** `input` is the newer name; a client that sends both must mean the same. */
export function dataOf({ data, input }: CallObject): Uint8Array {
  if (data && input && Buffer.compare(data, input) !== 0) {
    throw invalidParams('both "data" and "input" are set and not equal: use "input"')
  }
  return input ?? data ?? EMPTY_BYTES
}

/** A call that pays nothing runs in a block without a base fee: otherwise contracts would see a price below it. */
export const envForCall = (block: BlockEnv, { gasPrice }: CallMessage): BlockEnv =>
  gasPrice === 0n ? { ...block, baseFee: 0n } : block

export const overriddenEnv = (block: BlockEnv, overrides: BlockOverrides): BlockEnv => ({
  ...block,
  number: overrides.number ?? block.number,
  timestamp: overrides.time ?? block.timestamp,
  gasLimit: overrides.gasLimit ?? block.gasLimit,
  coinbase: overrides.feeRecipient ?? block.coinbase,
  prevRandao: overrides.prevRandao ?? block.prevRandao,
  baseFee: overrides.baseFeePerGas ?? block.baseFee,
  blobBaseFee: overrides.blobBaseFee ?? block.blobBaseFee,
})

function gasPriceOf({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: CallObject, baseFee: bigint): bigint {
  if (gasPrice) return atLeastBaseFee(gasPrice, baseFee)
  if (!maxFeePerGas) return 0n
  const tip = maxPriorityFeePerGas ?? 0n
  if (tip > maxFeePerGas) {
    throw serverError(
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: ${tip}, maxFeePerGas: ${maxFeePerGas}`,
    )
  }
  return smaller(atLeastBaseFee(maxFeePerGas, baseFee), baseFee + tip)
}

function atLeastBaseFee(fee: bigint, baseFee: bigint): bigint {
  if (fee >= baseFee) return fee
  throw serverError(`max fee per gas less than block base fee: maxFeePerGas: ${fee}, baseFee: ${baseFee}`)
}
