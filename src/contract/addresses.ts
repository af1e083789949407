import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import {
  chainPageOf,
  hexHash,
  methodId,
  pageOf,
  quantity,
  sides,
  stage,
  state,
  timeMs,
  transactionType,
  units,
  words,
} from './fields.ts'
import { address, chainShortName, choice, height, isFromOrTo, numberOrder, ordered, paging } from './params.ts'

const addressTransaction = z.object({
  txId: hexHash('Transaction'),
  methodId,
  blockHash: hexHash('Block'),
  height: quantity('Block height'),
  transactionTime: timeMs('Time of the block; of the broadcast while pending'),
  ...sides,
  amount: units('Amount'),
  transactionSymbol: words('Symbol of the currency or token'),
  txFee: units('Fee'),
  state,
  stage,
  tokenId: words('Token id of ERC-721 and ERC-1155'),
  tokenContractAddress: hexHash('Token'),
  challengeStatus: words('`inChallengePeriod`, `finalized`, or empty where the chain has no challenge period'),
  l1OriginHash: hexHash('Transaction on layer 1 that made this deposit'),
  contractAddress: hexHash('Contract created by the transaction'),
})

const normalTransaction = z.object({
  txId: hexHash('Transaction'),
  methodId,
  nonce: quantity('Nonce'),
  gasPrice: units('Effective gas price'),
  gasLimit: quantity('Gas limit'),
  gasUsed: quantity('Gas used'),
  blockHash: hexHash('Block'),
  height: quantity('Block height'),
  transactionTime: timeMs('Time of the block'),
  ...sides,
  amount: units('Amount'),
  symbol: words('Symbol of the native currency'),
  txFee: units('Fee'),
  state,
  stage,
  transactionType,
  contractAddress: hexHash('Contract created by the transaction'),
})

const position = z.object({
  rank: quantity('Rank, from 1'),
  symbol: words('Symbol of the native currency'),
  address: hexHash('Holder'),
  holderAddress: hexHash('Holder, in its other spelling'),
  amount: units('Balance'),
})

const heightRange = { startBlockHeight: height.optional(), endBlockHeight: height.optional() }

export const addressTransactionList = {
  id: 'E3',
  method: 'GET',
  path: '/address/transaction-list',
  summary: 'Address transaction list',
  description: 'The latest 10,000 records by page; `after` walks on past them.',
  params: z
    .object({
      chainShortName,
      address,
      protocolType: choice([
        'transaction',
        'internal',
        'token_20',
        'token_721',
        'token_1155',
        'token_10',
        'trx',
      ]).default('transaction'),
      tokenContractAddress: address.optional(),
      ...heightRange,
      isFromOrTo: isFromOrTo.optional(),
      ...paging(50),
    })
    .superRefine(ordered('startBlockHeight', 'endBlockHeight', numberOrder)),
  data: chainPageOf({ transactionLists: z.array(addressTransaction) }),
} as const satisfies Endpoint

export const normalTransactionList = {
  id: 'E4',
  method: 'GET',
  path: '/address/normal-transaction-list',
  summary: 'Normal transaction list by address',
  description: 'One year, counted back from the last transaction.',
  params: z
    .object({ chainShortName, address, ...heightRange, isFromOrTo: isFromOrTo.optional(), ...paging(50) })
    .superRefine(ordered('startBlockHeight', 'endBlockHeight', numberOrder)),
  data: pageOf({ transactionList: z.array(normalTransaction) }),
} as const satisfies Endpoint

export const nativeTokenPositionList = {
  id: 'E12',
  method: 'GET',
  path: '/address/native-token-position-list',
  summary: 'Native token holder addresses',
  description: 'The top 10,000 balances.',
  params: z.object({ chainShortName, ...paging(100) }),
  data: pageOf({ positionList: z.array(position) }),
} as const satisfies Endpoint
