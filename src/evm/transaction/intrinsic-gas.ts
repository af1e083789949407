// The gas that a transaction costs before its first operation.
import type { AccessList } from '../../chain/codec/access-list.ts'
import type { Rules } from '../../chain/rules/forks.ts'
import { INITCODE_WORD_GAS, MAX_INITCODE_SIZE } from '../core/gas.ts'
import { wordCount } from '../core/word.ts'
import { type Refusal, refuse } from './refusal.ts'

export type UpfrontGasInput = {
  readonly to: bigint | null
  readonly data: Uint8Array
  readonly accessList: AccessList
  readonly authorizationCount: number
}

export function intrinsicGas(rules: Rules, { to, data, accessList, authorizationCount }: UpfrontGasInput): number {
  const zeros = countZeros(data)
  let gas = TRANSACTION_GAS + 4 * zeros + (rules.istanbul ? 16 : 68) * (data.length - zeros)
  if (to === null && rules.homestead) gas += CREATE_GAS
  if (to === null && rules.shanghai) gas += INITCODE_WORD_GAS * wordCount(data.length)
  for (const { storageKeys } of accessList) gas += ACCESS_LIST_ADDRESS_GAS + ACCESS_LIST_KEY_GAS * storageKeys.length
  return gas + AUTHORIZATION_GAS * authorizationCount
}

/** EIP-7623: the least gas that a transaction uses, by the size of its data. */
export function floorGas(rules: Rules, data: Uint8Array): number {
  if (!rules.prague) return 0
  const zeros = countZeros(data)
  return TRANSACTION_GAS + FLOOR_TOKEN_GAS * (zeros + 4 * (data.length - zeros))
}

/** Checks that the gas limit covers the intrinsic gas and the floor, and that init code is short enough. */
export function upfrontGasRefusal(rules: Rules, upfront: UpfrontGasInput, gasLimit: bigint): Refusal | null {
  const { to, data } = upfront
  const intrinsic = intrinsicGas(rules, upfront)
  if (gasLimit < intrinsic) return refuse('intrinsicGas', `have ${gasLimit}, want ${intrinsic}`)
  const floor = floorGas(rules, data)
  if (gasLimit < floor) return refuse('floorDataGas', `have ${gasLimit}, want ${floor}`)
  if (!rules.shanghai || to !== null || data.length <= MAX_INITCODE_SIZE) return null
  return refuse('initCodeTooLong', `code size ${data.length} limit ${MAX_INITCODE_SIZE}`)
}

export const AUTHORIZATION_GAS = 25000

const TRANSACTION_GAS = 21000
const CREATE_GAS = 32000
const ACCESS_LIST_ADDRESS_GAS = 2400
const ACCESS_LIST_KEY_GAS = 1900
const FLOOR_TOKEN_GAS = 10

function countZeros(data: Uint8Array): number {
  let zeros = 0
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++
  return zeros
}
