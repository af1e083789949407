// The methods of E20 as data: name, what it answers, its positional parameters. What is offered beyond them is in rpc-further.ts.
import { z } from 'zod'
import {
  address,
  blockOverrides,
  blockParameter,
  callObject,
  hash,
  indexQuantity,
  slot,
  stateOverrides,
} from './rpc-params.ts'

export type RpcMethod = {
  summary: string
  params: z.ZodType<readonly unknown[]>
  /** Names of the parameters, for messages and documentation. */
  names: readonly string[]
  result: string
}

const block = blockParameter.nullish()
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
    summary: 'Transaction by its position in a block',
    params: z.tuple([blockParameter, indexQuantity]),
    names: ['block', 'index'],
    result: 'transaction or null',
  },
  eth_getTransactionByBlockHashAndIndex: {
    summary: 'Transaction by its position in a block',
    params: z.tuple([hash, indexQuantity]),
    names: ['hash', 'index'],
    result: 'transaction or null',
  },
} as const satisfies Record<string, RpcMethod>

export type RpcMethods = typeof rpcMethods
