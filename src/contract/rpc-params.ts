// Parameters of JSON-RPC as data. Addresses, hashes and bytes leave in lower case, quantities as bigints; a block parameter is a tag, a
// number or an EIP-1898 object.
import { z } from 'zod'

/** The pattern begins with 0x, which the type says. */
function hex(rule: string, pattern: RegExp): z.ZodType<`0x${string}`, string> {
  return z.string(rule).regex(pattern, rule).toLowerCase() as unknown as z.ZodType<`0x${string}`, string>
}

export const address = hex('must be a 20-byte address in hex', /^0x[0-9a-fA-F]{40}$/)
export const hash = hex('must be a 32-byte hash in hex', /^0x[0-9a-fA-F]{64}$/)
/** The length is looked at apart: a pattern that counts pairs overflows its stack on megabytes. */
export const bytes = hex('must be hex bytes', /^0x[0-9a-fA-F]*$/).refine(
  (value) => value.length % 2 === 0,
  'must be hex bytes',
)
/** Ethereum quantities have no leading zeros; clients send them all the same, so they are accepted. */
export const quantity = hex('must be a hex quantity such as 0x1', /^0x[0-9a-fA-F]{1,64}$/).transform((value) =>
  BigInt(value),
)
export const heightQuantity = hex('must be a block number as a hex quantity', /^0x0*[0-9a-fA-F]{1,12}$/).transform(
  Number,
)
export const indexQuantity = hex('must be an index as a hex quantity', /^0x0*[0-9a-fA-F]{1,12}$/).transform(Number)
/** Storage positions come short (0x0) and as 32 bytes. */
export const slot = hex('must be a storage position of at most 32 bytes in hex', /^0x[0-9a-fA-F]{1,64}$/).transform(
  BigInt,
)

export const blockTags = ['latest', 'pending', 'earliest', 'safe', 'finalized'] as const

/** Which block; `latest` where it is left out. */
export const blockParameter = z.union(
  [
    z.enum(blockTags).transform((tag) => ({ type: 'tag' as const, tag })),
    // Before numbers: a hash of zeros is no number.
    hash.transform((value) => ({ type: 'hash' as const, hash: value, requireCanonical: false })),
    heightQuantity.transform((number) => ({ type: 'number' as const, number })),
    z
      .strictObject({ blockHash: hash, requireCanonical: z.boolean().default(false) })
      .transform(({ blockHash, requireCanonical }) => ({ type: 'hash' as const, hash: blockHash, requireCanonical })),
    z
      .strictObject({ blockNumber: heightQuantity })
      .transform(({ blockNumber }) => ({ type: 'number' as const, number: blockNumber })),
  ],
  'must be latest, pending, earliest, safe, finalized, a block number in hex, or an object with blockHash or blockNumber',
)

export type BlockParameter = z.output<typeof blockParameter>

const authorization = z.object({
  chainId: quantity,
  address,
  nonce: quantity,
  yParity: quantity,
  r: quantity,
  s: quantity,
})

/** What a transaction would be, before anybody signs it. */
export const callObject = z.object(
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
    accessList: z.array(z.object({ address, storageKeys: z.array(hash) }), 'must be an access list').nullish(),
    authorizationList: z.array(authorization, 'must be a list of authorizations').nullish(),
    blobVersionedHashes: z.array(hash, 'must be a list of hashes').nullish(),
  },
  'must be a call object',
)

export type CallObject = z.output<typeof callObject>

export const stateOverrides = z.record(
  address,
  z
    .object({
      balance: quantity.nullish(),
      nonce: quantity.nullish(),
      code: bytes.nullish(),
      state: z.record(hash, hash).nullish(),
      stateDiff: z.record(hash, hash).nullish(),
      movePrecompileToAddress: address.nullish(),
    })
    .refine(({ state, stateDiff }) => !(state && stateDiff), 'has both state and stateDiff'),
)

export type StateOverridesObject = z.output<typeof stateOverrides>

export const blockOverrides = z.object({
  number: heightQuantity.nullish(),
  time: heightQuantity.nullish(),
  gasLimit: quantity.nullish(),
  feeRecipient: address.nullish(),
  prevRandao: hash.nullish(),
  baseFeePerGas: quantity.nullish(),
  blobBaseFee: quantity.nullish(),
})

export type BlockOverridesObject = z.output<typeof blockOverrides>

function oneOrMore<T extends z.ZodType>(schema: T, most: number, rule: string) {
  return z.union([schema.transform((one) => [one]), z.array(schema).max(most, rule)], rule)
}

const MAX_ADDRESSES = 1_000
const MAX_TOPICS = 4
const MAX_ALTERNATIVES = 1_000

/** By address and by topics, each topic one of several or anything. */
export const logCriteria = z.object(
  {
    address: oneOrMore(address, MAX_ADDRESSES, `must be an address or at most ${MAX_ADDRESSES} of them`).nullish(),
    topics: z
      .array(
        oneOrMore(hash, MAX_ALTERNATIVES, `must be null, a topic or at most ${MAX_ALTERNATIVES} of them`).nullable(),
        'must be a list of topics',
      )
      .max(MAX_TOPICS, `must be at most ${MAX_TOPICS} topics`)
      .nullish(),
  },
  'must be a filter object',
)

export const logQuery = logCriteria
  .extend({
    fromBlock: blockParameter.nullish(),
    toBlock: blockParameter.nullish(),
    blockHash: hash.nullish(),
  })
  .refine(({ fromBlock, toBlock, blockHash }) => !(blockHash && (fromBlock || toBlock)), {
    message: 'has both blockHash and fromBlock or toBlock',
  })

export type LogQuery = z.output<typeof logQuery>
