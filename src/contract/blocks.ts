import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import {
  chainNames,
  chainPageOf,
  hexHash,
  internalTransactionsComplete,
  methodId,
  quantity,
  sides,
  stage,
  state,
  timeMs,
  transactionTime,
  units,
  words,
} from './fields.ts'
import { chainShortName, choice, height, paging, timestampMs } from './params.ts'

const blockFields = {
  hash: hexHash('Block hash'),
  height: quantity('Height'),
  validator: hexHash('Fee recipient'),
  blockTime: timeMs('Time of validation'),
  txnCount: quantity('Transactions'),
  blockSize: quantity('Size in bytes'),
  mineReward: units('Reward without fees'),
  totalFee: units('Sum of the fees'),
  feeSymbol: words('Currency of the fees'),
  ommerBlock: quantity('Ommers'),
  gasUsed: quantity('Gas used'),
  gasLimit: quantity('Gas limit'),
  gasAvgPrice: units('Fees per gas used'),
  state: words('`pending` above the safe head, `done` at or below it, empty where the node has no safe head'),
  burnt: units('Destroyed fees'),
}

const blockListItem = z.object({ ...blockFields, avgFee: units('Fees per transaction') })

const blockDetail = z.object({
  ...chainNames,
  ...blockFields,
  amount: units('Native amount moved by the transactions'),
  txnInternal: quantity('Internal transactions'),
  merkleRootHash: hexHash('Root of the transactions'),
  miner: hexHash('Fee recipient'),
  difficulty: quantity('Difficulty'),
  difficuity: quantity('Difficulty, in its other spelling'),
  nonce: words('Nonce of the header, without 0x'),
  confirm: quantity('Confirmations: canonical blocks above this one'),
  tips: units('Highest priority fee offered'),
  baseFeePerGas: units('Base fee per gas'),
  internalTransactionsComplete,
  unknownFields: words('Header fields that Firstlight does not know, as JSON; empty where there are none'),
})

const blockTransaction = z.object({
  txid: hexHash('Transaction'),
  methodId,
  blockHash: hexHash('Block'),
  height: quantity('Height'),
  transactionTime,
  ...sides,
  amount: units('Amount'),
  transactionSymbol: words('Symbol of the currency or token'),
  txfee: units('Fee'),
  state,
  stage,
  tokenId: words('Token id of ERC-721 and ERC-1155'),
  tokenContractAddress: hexHash('Token'),
  contractAddress: hexHash('Contract created by the transaction'),
})

export const blockList = {
  id: 'E5',
  method: 'GET',
  path: '/block/block-list',
  summary: 'Block list',
  description: 'The latest 10,000 blocks by page; `after` walks on past them.',
  params: z.object({ chainShortName, height: height.optional(), ...paging(100) }),
  data: chainPageOf({ blockList: z.array(blockListItem) }),
} as const satisfies Endpoint

export const blockTransactionList = {
  id: 'E6',
  method: 'GET',
  path: '/block/transaction-list',
  summary: 'Block transaction list',
  params: z.object({
    chainShortName,
    height,
    protocolType: choice(['transaction', 'internal', 'token_20', 'token_721', 'token_1155', 'token_10']).default(
      'transaction',
    ),
    ...paging(100),
  }),
  data: chainPageOf({
    /** Of `internal` alone. */
    internalTransactionsComplete: internalTransactionsComplete.optional(),
    blockList: z.array(blockTransaction),
  }),
} as const satisfies Endpoint

export const blockFills = {
  id: 'E9',
  method: 'GET',
  path: '/block/block-fills',
  summary: 'Block details',
  params: z.object({ chainShortName, height }),
  data: z.tuple([blockDetail]),
} as const satisfies Endpoint

export const blockHeightByTime = {
  id: 'E5a',
  method: 'GET',
  path: '/block/block-height-by-time',
  summary: 'Block height by time',
  params: z.object({
    chainShortName,
    time: timestampMs,
    closest: choice(['before', 'after'])
      .default('before')
      .meta({ description: '`before`: the last block at or before the time; `after`: the first at or after it' }),
  }),
  data: z.tuple([z.object({ height: quantity('Height'), blockTime: timeMs('Time of the block') })]),
} as const satisfies Endpoint
