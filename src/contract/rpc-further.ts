// What is offered beyond E20: sending, logs, prices, simulation, traces, subscriptions, and what becomes of a transaction.
import { z } from 'zod'
import type { RpcMethod } from './rpc.ts'
import {
  blockOverrides,
  blockParameter,
  bytes,
  callObject,
  hash,
  heightQuantity,
  indexQuantity,
  logCriteria,
  logQuery,
  stateOverrides,
} from './rpc-params.ts'

const block = blockParameter.nullish()
const flag = z.boolean('must be true or false')

export const MAX_SYNC_WAIT_MS = 30_000
const MAX_SIMULATED_CALLS = 5_000
const MAX_FEE_HISTORY = 1_024
const MAX_PERCENTILES = 100

export const simulation = z.object(
  {
    blockStateCalls: z
      .array(
        z.object({
          blockOverrides: blockOverrides.nullish(),
          stateOverrides: stateOverrides.nullish(),
          calls: z.array(callObject).max(MAX_SIMULATED_CALLS, `must be at most ${MAX_SIMULATED_CALLS} calls`).nullish(),
        }),
        'must be a list of blocks',
      )
      // More than the simulation allows are refused by it, with the code of geth (-38026).
      .min(1, 'must not be empty'),
    validation: flag.nullish(),
    traceTransfers: flag.nullish(),
    returnFullTransactions: flag.nullish(),
  },
  'must be a simulation',
)

const traceConfig = z.object({
  tracer: z.string('must be the name of a tracer').nullish(),
  tracerConfig: z.object({ onlyTopCall: flag.nullish(), withLog: flag.nullish() }).nullish(),
})

const callTraceConfig = traceConfig.extend({
  stateOverrides: stateOverrides.nullish(),
  blockOverrides: blockOverrides.nullish(),
})

/** geth takes the count in decimal as well. */
const blockCount = z
  .union(
    [z.int('must be a number of blocks').nonnegative('must be a number of blocks'), heightQuantity],
    'must be a number of blocks',
  )
  .refine((count) => count <= MAX_FEE_HISTORY, `must be at most ${MAX_FEE_HISTORY}`)

const percentiles = z
  .array(z.number('must be a number').min(0, 'must be at least 0').max(100, 'must be at most 100'))
  .max(MAX_PERCENTILES, `must be at most ${MAX_PERCENTILES} percentiles`)
  .refine((all) => all.every((each, at) => at === 0 || each >= all[at - 1]!), 'must rise')

export const subscriptionKinds = [
  'newHeads',
  'logs',
  'newFlashblocks',
  'newFlashblockTransactions',
  'pendingLogs',
] as const
export type SubscriptionKind = (typeof subscriptionKinds)[number]

export const furtherRpcMethods = {
  eth_chainId: { summary: 'Chain id', params: z.tuple([]), names: [], result: 'quantity' },
  eth_sendRawTransaction: {
    summary: 'Sends a signed transaction through the node',
    params: z.tuple([bytes]),
    names: ['transaction'],
    result: 'hash',
  },
  eth_sendRawTransactionSync: {
    summary: 'Sends a signed transaction and waits for its receipt (EIP-7966); a preconfirmed receipt counts',
    params: z.tuple([
      bytes,
      z
        .union([z.int('must be a number of milliseconds'), heightQuantity], 'must be a number of milliseconds')
        .refine((ms) => ms > 0 && ms <= MAX_SYNC_WAIT_MS, `must be from 1 to ${MAX_SYNC_WAIT_MS} ms`)
        .nullish(),
    ]),
    names: ['transaction', 'timeout'],
    result: 'receipt',
  },
  eth_getHeaderByNumber: {
    summary: 'Header by number or tag',
    params: z.tuple([blockParameter]),
    names: ['block'],
    result: 'header or null',
  },
  eth_getHeaderByHash: {
    summary: 'Header by hash; any flashblock hash of the last 64 blocks answers too',
    params: z.tuple([hash]),
    names: ['hash'],
    result: 'header or null',
  },
  eth_getRawTransactionByBlockNumberAndIndex: {
    summary: 'Raw transaction by its position in a block',
    params: z.tuple([blockParameter, indexQuantity]),
    names: ['block', 'index'],
    result: 'bytes or null',
  },
  eth_getRawTransactionByBlockHashAndIndex: {
    summary: 'Raw transaction by its position in a block',
    params: z.tuple([hash, indexQuantity]),
    names: ['hash', 'index'],
    result: 'bytes or null',
  },
  eth_getLogs: {
    summary: 'Logs of canonical and preconfirmed blocks',
    params: z.tuple([logQuery]),
    names: ['filter'],
    result: 'logs',
  },
  eth_simulateV1: {
    summary: 'Simulated blocks after any block',
    params: z.tuple([simulation, block]),
    names: ['simulation', 'block'],
    result: 'blocks',
  },
  eth_feeHistory: {
    summary: 'Fees paid in recent blocks, preconfirmed ones included',
    params: z.tuple([blockCount, blockParameter, percentiles.nullish()]),
    names: ['block count', 'newest block', 'percentiles'],
    result: 'fee history',
  },
  debug_traceTransaction: {
    summary: 'Trace of a transaction; a preconfirmed one has callTracer only',
    params: z.tuple([hash, traceConfig.nullish()]),
    names: ['hash', 'config'],
    result: 'trace',
  },
  debug_traceCall: {
    summary: 'Trace of a call; at `pending` with callTracer only',
    params: z.tuple([callObject, block, callTraceConfig.nullish()]),
    names: ['call', 'block', 'config'],
    result: 'trace',
  },
  eth_subscribe: {
    summary: `Subscriber events over a WebSocket: ${subscriptionKinds.join(', ')}`,
    params: z.tuple([
      z.enum(subscriptionKinds, `must be one of ${subscriptionKinds.join(', ')}`),
      z.union([flag, logCriteria], 'must be a filter, or true or false').nullish(),
    ]),
    names: ['kind', 'filter'],
    result: 'id',
  },
  eth_unsubscribe: {
    summary: 'Ends a subscription',
    params: z.tuple([z.string('must be the id of a subscription')]),
    names: ['id'],
    result: 'boolean',
  },
  eth_flashblocksEnabled: {
    summary: 'Whether preconfirmations are served right now',
    params: z.tuple([]),
    names: [],
    result: 'boolean',
  },
  firstlight_transactionStatus: {
    summary: 'When a transaction was seen, preconfirmed, included, safe and final, and whether it stayed as it was',
    params: z.tuple([hash]),
    names: ['hash'],
    result: 'preconfirmation record or null',
  },
  net_version: { summary: 'Network id', params: z.tuple([]), names: [], result: 'decimal' },
  web3_clientVersion: {
    summary: 'This service and the node behind it',
    params: z.tuple([]),
    names: [],
    result: 'text',
  },
} as const satisfies Record<string, RpcMethod>

/** Answered by the node: methods that only read, whose answers one block bounds, and that store nothing at the node. */
export const passedMethods = [
  'eth_syncing',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_blobBaseFee',
  'eth_createAccessList',
  'eth_getProof',
  'eth_getUncleCountByBlockNumber',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleByBlockHashAndIndex',
  'eth_config',
  'eth_capabilities',
  'net_listening',
  'net_peerCount',
  'web3_sha3',
] as const

export type FurtherRpcMethods = typeof furtherRpcMethods
