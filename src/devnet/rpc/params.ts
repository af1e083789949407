// The parameters of JSON-RPC as this node reads them: checked at the door, then bigints and bytes.
import { z } from 'zod'
import type { AccessList } from '../../chain/access-list.ts'
import type { Authorization } from '../../chain/authorization.ts'
import { hexToBytes } from '../../chain/hex.ts'
import { blockParameter } from '../../contract/rpc-params.ts'
import type { StateOverrides } from '../../evm/overrides.ts'
import { withoutUndefined } from './without-undefined.ts'

const hex = (rule: string, pattern: RegExp) => z.string(rule).regex(pattern, rule)

export const address = hex('must be a 20-byte address in hex', /^0x[0-9a-fA-F]{40}$/).transform(BigInt)
export const word = hex('must be 32 bytes in hex', /^0x[0-9a-fA-F]{64}$/).transform(BigInt)
/** A hash stays text, in lower case: it is only ever looked up. */
export const hash = hex('must be a 32-byte hash in hex', /^0x[0-9a-fA-F]{64}$/).transform(
  (value): `0x${string}` => `0x${value.slice(2).toLowerCase()}`,
)
/** Pairs of digits are counted, not matched: a repeated group overflows the stack on a long text. */
export const bytes = hex('must be hex bytes', /^0x[0-9a-fA-F]*$/)
  .refine((value) => value.length % 2 === 0, 'must be hex bytes')
  .transform(hexToBytes)
/** Leading zeros are let through: clients in the field send them. */
export const quantity = hex('must be a hex quantity such as 0x1', /^0x[0-9a-fA-F]{1,64}$/).transform(BigInt)
export const smallQuantity = hex('must be a hex quantity below 2^48', /^0x0*[0-9a-fA-F]{1,12}$/).transform(Number)
/** Storage positions come short (0x0) and as 32 bytes. */
export const slot = hex('must be a storage position of at most 32 bytes', /^0x[0-9a-fA-F]{1,64}$/).transform(BigInt)
export const flag = z.boolean('must be true or false')

export type BlockParameter = z.output<typeof blockParameter>

export const requiredBlock = blockParameter
export const block = blockParameter.nullish().transform((value) => value ?? LATEST)

export const LATEST: BlockParameter = { type: 'tag', tag: 'latest' }

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
