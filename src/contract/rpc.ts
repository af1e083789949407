// The methods of E20 as data: name, what it answers, its positional parameters. Addresses, hashes and quantities leave in
// lower case; a block parameter is a tag, a number or an EIP-1898 object and may be left out where Ethereum lets it be.
import { z } from 'zod'

const hex = (rule: string, pattern: RegExp) => z.string(rule).regex(pattern, rule).toLowerCase()

const address = hex('must be a 20-byte address in hex', /^0x[0-9a-fA-F]{40}$/)
const hash = hex('must be a 32-byte hash in hex', /^0x[0-9a-fA-F]{64}$/)
/** The length is looked at apart: a pattern that counts pairs overflows its stack on megabytes. */
const bytes = hex('must be hex bytes', /^0x[0-9a-fA-F]*$/).refine(
  (value) => value.length % 2 === 0,
  'must be hex bytes',
)
/** Ethereum quantities have no leading zeros; readers in the field send them all the same, so they are let through. */
const quantity = hex('must be a hex quantity such as 0x1', /^0x[0-9a-fA-F]{1,64}$/).transform((value) => BigInt(value))
const heightQuantity = hex('must be a block number as a hex quantity', /^0x0*[0-9a-fA-F]{1,12}$/).transform(Number)
/** Storage positions come short (0x0) and as 32 bytes. */
const slot = hex('must be a storage position of at most 32 bytes in hex', /^0x[0-9a-fA-F]{1,64}$/).transform(BigInt)

export const blockTags = ['latest', 'pending', 'earliest', 'safe', 'finalized'] as const

export const blockParameter = z.union(
  [
    z.enum(blockTags).transform((tag) => ({ type: 'tag' as const, tag })),
    heightQuantity.transform((number) => ({ type: 'number' as const, number })),
    z
      .strictObject({ blockHash: hash, requireCanonical: z.boolean().optional() })
      .transform(({ blockHash }) => ({ type: 'hash' as const, hash: blockHash })),
    z
      .strictObject({ blockNumber: heightQuantity })
      .transform(({ blockNumber }) => ({ type: 'number' as const, number: blockNumber })),
    hash.transform((value) => ({ type: 'hash' as const, hash: value })),
  ],
  'must be latest, pending, earliest, safe, finalized, a block number in hex, or an object with blockHash or blockNumber',
)

const callObject = z.object(
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
    accessList: z.array(z.object({ address, storageKeys: z.array(hash) })).nullish(),
  },
  'must be a call object',
)

const stateOverrides = z.record(
  address,
  z.object({
    balance: quantity.optional(),
    nonce: quantity.optional(),
    code: bytes.optional(),
    state: z.record(hash, hash).optional(),
    stateDiff: z.record(hash, hash).optional(),
  }),
)

const blockOverrides = z.object({
  number: quantity.optional(),
  time: quantity.optional(),
  gasLimit: quantity.optional(),
  feeRecipient: address.optional(),
  prevRandao: hash.optional(),
  baseFeePerGas: quantity.optional(),
  blobBaseFee: quantity.optional(),
})

type RpcMethod = {
  summary: string
  params: z.ZodType<readonly unknown[]>
  /** Names of the parameters, for messages and documentation. */
  names: readonly string[]
  result: string
}

const block = blockParameter.optional()
const full = z.boolean('must be true for whole transactions or false for hashes')

export const rpcMethods = {
  eth_blockNumber: {
    summary: 'Height of the pending block with `pending`, of the canonical head without it',
    params: z.tuple([block]),
    names: ['block'],
    result: 'quantity',
  },
  eth_call: {
    summary: 'Executes a call without a transaction',
    params: z.tuple([callObject, block, stateOverrides.nullish(), blockOverrides.nullish()]),
    names: ['call', 'block', 'state overrides', 'block overrides'],
    result: 'return data',
  },
  eth_estimateGas: {
    summary: 'The least gas with which a transaction succeeds',
    params: z.tuple([callObject, block, stateOverrides.nullish(), blockOverrides.nullish()]),
    names: ['call', 'block', 'state overrides', 'block overrides'],
    result: 'quantity',
  },
  eth_getBalance: {
    summary: 'Native balance',
    params: z.tuple([address, block]),
    names: ['address', 'block'],
    result: 'quantity',
  },
  eth_getTransactionCount: {
    summary: 'Nonce',
    params: z.tuple([address, block]),
    names: ['address', 'block'],
    result: 'quantity',
  },
  eth_getCode: {
    summary: 'Contract code',
    params: z.tuple([address, block]),
    names: ['address', 'block'],
    result: 'bytes',
  },
  eth_getStorageAt: {
    summary: 'One storage value',
    params: z.tuple([address, slot, block]),
    names: ['address', 'position', 'block'],
    result: '32 bytes',
  },
  eth_getBlockByHash: {
    summary: 'Block by hash; any flashblock hash of the last 64 blocks answers too',
    params: z.tuple([hash, full]),
    names: ['hash', 'full transactions'],
    result: 'block or null',
  },
  eth_getBlockByNumber: {
    summary: 'Block by number or tag',
    params: z.tuple([blockParameter, full]),
    names: ['block', 'full transactions'],
    result: 'block or null',
  },
  eth_getBlockReceipts: {
    summary: 'All receipts of a block',
    params: z.tuple([blockParameter]),
    names: ['block'],
    result: 'receipts or null',
  },
  eth_getBlockTransactionCountByNumber: {
    summary: 'Transactions in a block',
    params: z.tuple([blockParameter]),
    names: ['block'],
    result: 'quantity or null',
  },
  eth_getBlockTransactionCountByHash: {
    summary: 'Transactions in a block',
    params: z.tuple([hash]),
    names: ['hash'],
    result: 'quantity or null',
  },
  eth_getTransactionByHash: {
    summary: 'Transaction by hash',
    params: z.tuple([hash]),
    names: ['hash'],
    result: 'transaction or null',
  },
  eth_getRawTransactionByHash: {
    summary: 'Raw transaction by hash',
    params: z.tuple([hash]),
    names: ['hash'],
    result: 'bytes or null',
  },
  eth_getTransactionReceipt: {
    summary: 'Receipt; preconfirmed transactions have one before their block exists',
    params: z.tuple([hash]),
    names: ['hash'],
    result: 'receipt or null',
  },
  eth_getTransactionByBlockNumberAndIndex: {
    summary: 'Transaction by its place',
    params: z.tuple([blockParameter, heightQuantity]),
    names: ['block', 'index'],
    result: 'transaction or null',
  },
  eth_getTransactionByBlockHashAndIndex: {
    summary: 'Transaction by its place',
    params: z.tuple([hash, heightQuantity]),
    names: ['hash', 'index'],
    result: 'transaction or null',
  },
} as const satisfies Record<string, RpcMethod>

export type RpcMethods = typeof rpcMethods
export type RpcMethodName = keyof RpcMethods
export type RpcParams<N extends RpcMethodName> = z.output<RpcMethods[N]['params']>
