// The parameters of JSON-RPC as this node reads them: checked at the door, then bigints and bytes.
import { z } from 'zod'
import type { AccessList } from '../../chain/access-list.ts'
import type { Authorization } from '../../chain/authorization.ts'
import { type Hex, hexToBytes } from '../../chain/hex.ts'
import * as wire from '../../contract/rpc-params.ts'
import type { StateOverrides } from '../../evm/overrides.ts'
import { withoutUndefined } from './without-undefined.ts'

export const address = wire.address.transform(BigInt)
export const word = wire.hash.transform(BigInt)
/** A hash stays text, in lower case: it is only ever looked up. */
export const hash = wire.hash.transform((value) => value as Hex)
export const bytes = wire.bytes.transform(hexToBytes)
export const { quantity, slot } = wire
const SMALL = 'must be a hex quantity below 2^48'
export const smallQuantity = z
  .string(SMALL)
  .regex(/^0x0*[0-9a-fA-F]{1,12}$/, SMALL)
  .transform(Number)
export const flag = z.boolean('must be true or false')

export type { BlockParameter } from '../../contract/rpc-params.ts'

export const requiredBlock = wire.blockParameter
export const block = wire.blockParameter.nullish().transform((value) => value ?? LATEST)

export const LATEST: wire.BlockParameter = { type: 'tag', tag: 'latest' }

const accessList = z
  .array(z.object({ address, storageKeys: z.array(word) }), 'must be an access list')
  .transform((list): AccessList => list)

const authorization = z
  .object({ chainId: quantity, address, nonce: quantity, r: quantity, s: quantity, yParity: smallQuantity })
  .transform(({ r, s, yParity, ...rest }): Authorization => ({ ...rest, signature: { r, s, yParity } }))

/** What a transaction would be, before anybody signs it. */
export const callObject = z
  .object(
    {
      from: address.nullish(),
      to: address.nullish(),
      gas: quantity.nullish(),
      gasPrice: quantity.nullish(),
      maxFeePerGas: quantity.nullish(),
      maxPriorityFeePerGas: quantity.nullish(),
      value: quantity.nullish(),
      nonce: quantity.nullish(),
      data: bytes.nullish(),
      input: bytes.nullish(),
      accessList: accessList.nullish(),
      authorizationList: z.array(authorization).nullish(),
      blobVersionedHashes: z.array(word).nullish(),
    },
    'must be a call object',
  )
  .refine(({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }) => !(gasPrice && (maxFeePerGas || maxPriorityFeePerGas)), {
    message: 'has both gasPrice and (maxFeePerGas or maxPriorityFeePerGas)',
  })

export type CallObject = z.output<typeof callObject>

const slots = z.record(word.in, word).transform((record) => new Map(entriesOf(record)))

const accountOverride = z
  .object({
    balance: quantity.optional(),
    nonce: quantity.optional(),
    code: bytes.optional(),
    state: slots.optional(),
    stateDiff: slots.optional(),
    movePrecompileToAddress: address.optional(),
  })
  .refine(({ state, stateDiff }) => !(state && stateDiff), { message: 'has both state and stateDiff' })
  .transform(({ movePrecompileToAddress, ...rest }) => ({
    ...withoutUndefined(rest),
    ...(movePrecompileToAddress !== undefined && { movePrecompileTo: movePrecompileToAddress }),
  }))

export const stateOverrides = z
  .record(address.in, accountOverride)
  .transform((record): StateOverrides => new Map(entriesOf(record)))

export const blockOverrides = z.object({
  number: smallQuantity.optional(),
  time: smallQuantity.optional(),
  gasLimit: quantity.optional(),
  feeRecipient: address.optional(),
  prevRandao: word.optional(),
  baseFeePerGas: quantity.optional(),
  blobBaseFee: quantity.optional(),
})

export type BlockOverrides = z.output<typeof blockOverrides>

const entriesOf = <V>(record: Readonly<Record<string, V>>): [bigint, V][] =>
  Object.entries(record).map(([key, value]) => [BigInt(key), value])
