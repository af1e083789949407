// What is offered beyond E20: sending, logs, prices, simulation, traces, subscriptions, and what becomes of a transaction.
import { z } from 'zod'
import type { RpcMethod } from './rpc.ts'
import {
  address,
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

/** The node may know tracers and options that we do not, so for what it answers nothing else is refused here. */
export const traceConfig = z.object({
  tracer: z.string('must be the name of a tracer').nullish(),
  tracerConfig: z
    .object({
      onlyTopCall: flag.nullish(),
      withLog: flag.nullish(),
      diffMode: flag.nullish(),
      disableCode: flag.nullish(),
      disableStorage: flag.nullish(),
      includeEmpty: flag.nullish(),
      convertParityErrors: flag.nullish(),
      includePrecompiles: flag.nullish(),
    })
    .nullish(),
  // Of the default tracer, which shows every operation.
  enableMemory: flag.nullish(),
  disableStack: flag.nullish(),
  disableStorage: flag.nullish(),
  limit: z.int('must be a number of steps').nonnegative('must be a number of steps').nullish(),
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
  'flashblocks',
  'newPendingTransactions',
] as const
export type SubscriptionKind = (typeof subscriptionKinds)[number]

const MAX_SUBSCRIBED_ADDRESSES = 1_000

/** What a subscriber of `flashblocks` wants, as xlayer-reth takes it. Without addresses every transaction counts. */
export const flashblocksFilter = z.strictObject({
  headerInfo: flag.default(false),
  subTxFilter: z
    .strictObject({
      subscribeAddresses: z.array(address).max(MAX_SUBSCRIBED_ADDRESSES, 'too many subscribe addresses').default([]),
      txInfo: flag.default(false),
      txReceipt: flag.default(false),
    })
    .prefault({}),
})

const filterId = z.string('must be the id of a filter')

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
    summary: 'How a transaction ran, with one of the tracers of geth; a preconfirmed one too',
    params: z.tuple([hash, traceConfig.nullish()]),
    names: ['hash', 'config'],
    result: 'trace',
  },
  debug_traceBlockByNumber: {
    summary: 'How the transactions of a block ran; of a preconfirmed one too',
    params: z.tuple([blockParameter, traceConfig.nullish()]),
    names: ['block', 'config'],
    result: 'traces',
  },
  debug_traceBlockByHash: {
    summary: 'How the transactions of a block ran; of a preconfirmed one too',
    params: z.tuple([hash, traceConfig.nullish()]),
    names: ['hash', 'config'],
    result: 'traces',
  },
  debug_traceCall: {
    summary: 'How a call would run, with one of the tracers of geth; at pending too',
    params: z.tuple([callObject, block, callTraceConfig.nullish()]),
    names: ['call', 'block', 'config'],
    result: 'trace',
  },
  eth_subscribe: {
    summary: `Subscriber events over a WebSocket: ${subscriptionKinds.join(', ')}`,
    params: z.tuple([
      z.enum(subscriptionKinds, `must be one of ${subscriptionKinds.join(', ')}`),
      z.union([flag, flashblocksFilter, logCriteria], 'must be a filter, or true or false').nullish(),
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
  eth_newFilter: {
    summary: 'A filter for new logs of canonical blocks, to be polled',
    params: z.tuple([logQuery]),
    names: ['filter'],
    result: 'id',
  },
  eth_newBlockFilter: {
    summary: 'A filter for hashes of new canonical blocks, to be polled',
    params: z.tuple([]),
    names: [],
    result: 'id',
  },
  eth_newPendingTransactionFilter: {
    summary: 'A filter for transactions as they become known, to be polled: hashes, or with `true` whole transactions',
    params: z.tuple([flag.nullish()]),
    names: ['full transactions'],
    result: 'id',
  },
  eth_getFilterChanges: {
    summary: 'What a filter found since it was polled last',
    params: z.tuple([filterId]),
    names: ['id'],
    result: 'logs, hashes or transactions',
  },
  eth_getFilterLogs: {
    summary: 'All logs that a filter for logs matches',
    params: z.tuple([filterId]),
    names: ['id'],
    result: 'logs',
  },
  eth_uninstallFilter: {
    summary: 'Ends a filter',
    params: z.tuple([filterId]),
    names: ['id'],
    result: 'boolean',
  },
  eth_flashblocksPeerStatus: {
    summary: 'The upstreams of the feed, in the shape of xlayer-reth; null where no feed is followed',
    params: z.tuple([]),
    names: [],
    result: 'status or null',
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
