// Converts the call and override objects of JSON-RPC to the input of the engine. The objects are already validated: hex is lower case,
// quantities are bigints.

import { EMPTY_BYTES, hexToBytes } from '../../chain/bytes/hex.ts'
import type { AccessList } from '../../chain/codec/access-list.ts'
import type { Authorization } from '../../chain/codec/authorization.ts'
import type { BlockEnv } from '../core/block-env.ts'
import { atMostTransactionGas } from '../core/gas.ts'
import { smaller } from '../core/word.ts'
import { toCode } from '../state/code.ts'
import type { CallMessage } from './call.ts'
import { invalidParams, serverError } from './call-failures.ts'
import type { AccountOverride, StateOverrides } from './overrides.ts'

type Nullish<T> = { readonly [K in keyof T]?: T[K] | null | undefined }

export type CallObject = Nullish<{
  from: string
  to: string
  gas: bigint
  gasPrice: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  value: bigint
  nonce: bigint
  data: string
  input: string
  accessList: readonly { readonly address: string; readonly storageKeys: readonly string[] }[]
  authorizationList: readonly AuthorizationObject[]
  blobVersionedHashes: readonly string[]
}>

type AuthorizationObject = Readonly<Record<'chainId' | 'nonce' | 'yParity' | 'r' | 's', bigint>> & {
  readonly address: string
}

export type BlockOverridesObject = Nullish<{
  number: number
  time: number
  gasLimit: bigint
  feeRecipient: string
  prevRandao: string
  baseFeePerGas: bigint
  blobBaseFee: bigint
}>

export type StateOverridesObject = Readonly<Record<string, AccountOverrideObject>>

type AccountOverrideObject = Nullish<{
  balance: bigint
  nonce: bigint
  code: string
  state: Readonly<Record<string, string>>
  stateDiff: Readonly<Record<string, string>>
  movePrecompileToAddress: string
}>

export function callMessage(call: CallObject, block: BlockEnv, gasCap: bigint): Required<CallMessage> {
  const { from, to, value, blobVersionedHashes } = call
  return {
    from: from ? BigInt(from) : 0n,
    to: to ? BigInt(to) : null,
    data: dataOf(call),
    value: value ?? 0n,
    gas: atMostTransactionGas(block.rules, smaller(call.gas ?? block.gasLimit, gasCap)),
    gasPrice: gasPriceOf(call, block.baseFee),
    accessList: accessListOf(call),
    authorizations: authorizationsOf(call),
    blobHashes: (blobVersionedHashes ?? []).map(BigInt),
  }
}

/** `input` is the newer name. If a client sends both, they must be equal. */
export function dataOf({ data, input }: CallObject): Uint8Array {
  if (data && input && data !== input) {
    throw invalidParams('both "data" and "input" are set and not equal: use "input"')
  }
  const given = input ?? data
  return given ? hexToBytes(given) : EMPTY_BYTES
}

export function accessListOf({ accessList }: CallObject): AccessList {
  return (accessList ?? []).map(({ address, storageKeys }) => ({
    address: BigInt(address),
    storageKeys: storageKeys.map(BigInt),
  }))
}

export function authorizationsOf({ authorizationList }: CallObject): readonly Authorization[] {
  return (authorizationList ?? []).map(({ chainId, address, nonce, yParity, r, s }) => ({
    chainId,
    address: BigInt(address),
    nonce,
    signature: { r, s, yParity: Number(yParity) },
  }))
}

/** A call with a gas price of zero runs in a block without a base fee: otherwise contracts would see a gas price below the base fee. */
export function envForCall(block: BlockEnv, { gasPrice }: CallMessage): BlockEnv {
  return gasPrice === 0n ? { ...block, baseFee: 0n } : block
}

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

function accountOverride(override: AccountOverrideObject): AccountOverride {
  const { balance, nonce, code, state, stateDiff, movePrecompileToAddress: moved } = override
  return {
    ...(isGiven(balance) && { balance }),
    ...(isGiven(nonce) && { nonce }),
    ...(isGiven(code) && { code: toCode(hexToBytes(code)) }),
    ...(isGiven(state) && { state: slotsOf(state) }),
    ...(isGiven(stateDiff) && { stateDiff: slotsOf(stateDiff) }),
    ...(isGiven(moved) && { movePrecompileTo: BigInt(moved) }),
  }
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined
}

function slotsOf(slots: Readonly<Record<string, string>>): ReadonlyMap<bigint, bigint> {
  return new Map(Object.entries(slots).map(([key, value]) => [BigInt(key), BigInt(value)]))
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
