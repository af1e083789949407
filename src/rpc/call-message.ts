// A call object as the engine takes it, and the block it runs in.
import { EMPTY_BYTES, hexToBytes } from '../chain/hex.ts'
import type { BlockOverridesObject, CallObject, StateOverridesObject } from '../contract/rpc-params.ts'
import type { CallMessage } from '../evm/call.ts'
import type { BlockEnv } from '../evm/machine.ts'
import type { AccountOverride, StateOverrides } from '../evm/overrides.ts'
import { smaller } from '../evm/word.ts'
import { invalidParams, serverError } from './failures.ts'

export function callMessage(call: CallObject, block: BlockEnv, gasCap: bigint): Required<CallMessage> {
  const { from, to, value, accessList, authorizationList, blobVersionedHashes } = call
  return {
    from: from ? BigInt(from) : 0n,
    to: to ? BigInt(to) : null,
    data: dataOf(call),
    value: value ?? 0n,
    gas: smaller(call.gas ?? block.gasLimit, gasCap),
    gasPrice: gasPriceOf(call, block.baseFee),
    accessList: (accessList ?? []).map(({ address, storageKeys }) => ({
      address: BigInt(address),
      storageKeys: storageKeys.map(BigInt),
    })),
    authorizations: (authorizationList ?? []).map(({ chainId, address, nonce, yParity, r, s }) => ({
      chainId,
      address: BigInt(address),
      nonce,
      signature: { r, s, yParity: Number(yParity) },
    })),
    blobHashes: (blobVersionedHashes ?? []).map(BigInt),
  }
}

/** A call that pays nothing runs in a block without a base fee: otherwise contracts would see a price below it. */
export const envForCall = (block: BlockEnv, { gasPrice }: CallMessage): BlockEnv =>
  gasPrice === 0n ? { ...block, baseFee: 0n } : block

export function overriddenEnv(block: BlockEnv, overrides: BlockOverridesObject | null | undefined): BlockEnv {
  if (!overrides) return block
  const { feeRecipient, prevRandao } = overrides
  return {
    ...block,
    number: overrides.number ?? block.number,
    timestamp: overrides.time ?? block.timestamp,
    gasLimit: overrides.gasLimit ?? block.gasLimit,
    coinbase: feeRecipient ? BigInt(feeRecipient) : block.coinbase,
    prevRandao: prevRandao ? BigInt(prevRandao) : block.prevRandao,
    baseFee: overrides.baseFeePerGas ?? block.baseFee,
    blobBaseFee: overrides.blobBaseFee ?? block.blobBaseFee,
  }
}

export function overridesOf(object: StateOverridesObject | null | undefined): StateOverrides | undefined {
  const entries = Object.entries(object ?? {})
  if (entries.length === 0) return undefined
  return new Map(entries.map(([address, override]) => [BigInt(address), accountOverride(override)]))
}

function accountOverride(override: StateOverridesObject[string]): AccountOverride {
  const { balance, nonce, code, state, stateDiff, movePrecompileToAddress: moved } = override
  return {
    ...(isGiven(balance) && { balance }),
    ...(isGiven(nonce) && { nonce }),
    ...(isGiven(code) && { code: hexToBytes(code) }),
    ...(isGiven(state) && { state: slotsOf(state) }),
    ...(isGiven(stateDiff) && { stateDiff: slotsOf(stateDiff) }),
    ...(isGiven(moved) && { movePrecompileTo: BigInt(moved) }),
  }
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

const slotsOf = (slots: Readonly<Record<string, string>>): ReadonlyMap<bigint, bigint> =>
  new Map(Object.entries(slots).map(([key, value]) => [BigInt(key), BigInt(value)]))

/** `input` is the newer name; a client that sends both must mean the same. */
function dataOf({ data, input }: CallObject): Uint8Array {
  if (data && input && data !== input) {
    throw invalidParams('both "data" and "input" are set and not equal: use "input"')
  }
  const given = input ?? data
  return given ? hexToBytes(given) : EMPTY_BYTES
}

function gasPriceOf({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: CallObject, baseFee: bigint): bigint {
  if (gasPrice && (maxFeePerGas || maxPriorityFeePerGas)) {
    throw invalidParams('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
  }
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
