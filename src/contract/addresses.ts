import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import {
  balanceSource,
  chainPageOf,
  flag,
  hexHash,
  internalTransactionsComplete,
  methodId,
  operation,
  pageOf,
  pendingComplete,
  protocolType,
  quantity,
  sides,
  stage,
  state,
  timeMs,
  transactionTime,
  transactionType,
  units,
  usd,
  words,
} from './fields.ts'
import { address, chainShortName, choice, height, isFromOrTo, numberOrder, ordered, paging } from './params.ts'

const addressTransaction = z.object({
  txId: hexHash('Transaction'),
  methodId,
  blockHash: hexHash('Block'),
  height: quantity('Block height'),
  transactionTime,
  ...sides,
  amount: units('Amount'),
  transactionSymbol: words('Symbol of the currency or token'),
  txFee: units('Fee'),
  state,
  stage,
  tokenId: words('Token id of ERC-721 and ERC-1155'),
  tokenContractAddress: hexHash('Token'),
  challengeStatus: words('`inChallengePeriod`, `finalized`, or empty where the chain has no challenge period'),
  l1OriginHash: hexHash('Transaction on layer 1 that sent this deposit'),
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
  transactionTime,
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

const internalTransaction = z.object({
  txId: hexHash('Transaction'),
  blockHash: hexHash('Block'),
  height: quantity('Block height'),
  transactionTime,
  operation,
  ...sides,
  amount: units('Native amount'),
  symbol: words('Symbol of the native currency'),
  state,
  stage,
})

const tokenTransaction = z.object({
  txId: hexHash('Transaction'),
  methodId,
  blockHash: hexHash('Block'),
  height: quantity('Block height'),
  transactionTime,
  ...sides,
  amount: units('Amount; 1 for an ERC-721'),
  symbol: words('Token symbol'),
  tokenContractAddress: hexHash('Token'),
  protocolType,
  tokenId: words('Token id of ERC-721 and ERC-1155'),
  state,
  stage,
})

const information = z.object({
  address: hexHash('The address'),
  balance: units('Native balance at the newest indexed block; empty while it is not known'),
  balanceExact: flag('The balance is that of the newest indexed block; false while it could not be read or checked'),
  balanceSymbol: words('Symbol of the native currency'),
  transactionCount: quantity('Transactions from or to the address'),
  firstTransactionTime: timeMs('First transaction; empty without one'),
  lastTransactionTime: timeMs('Last transaction; empty without one'),
  contractAddress: flag('The address is a contract'),
  createContractAddress: hexHash('Creator of the contract'),
  createContractTransactionHash: hexHash('Transaction that created the contract'),
  contractCorrespondingToken: words('Symbol of the token that the contract is'),
  contractCalls: quantity('Calls of the contract in the last 30 days, by transactions and by other contracts'),
  contractCallingAddresses: words('Always empty: callers are not counted apart'),
})

const tokenBalance = z.object({
  symbol: words('Token symbol'),
  tokenContractAddress: hexHash('Token'),
  tokenType: words('`ERC20`, `ERC721` or `ERC1155`'),
  protocolType,
  holdingAmount: units('Balance'),
  priceUsd: usd('Price'),
  valueUsd: usd('Value of the balance'),
  tokenId: words('Token id of ERC-721 and ERC-1155'),
  ...balanceSource,
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
  data: chainPageOf({
    pendingComplete,
    /** Of `internal` alone. */
    internalTransactionsComplete: internalTransactionsComplete.optional(),
    transactionLists: z.array(addressTransaction),
  }),
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
  data: pageOf({ pendingComplete, transactionList: z.array(normalTransaction) }),
} as const satisfies Endpoint

export const nativeTokenPositionList = {
  id: 'E12',
  method: 'GET',
  path: '/address/native-token-position-list',
  summary: 'Native token holder addresses',
  description: 'The top 10,000 balances.',
  params: z.object({ chainShortName, ...paging(100) }),
  data: pageOf({
    balancesExact: flag(
      'Every balance is that of the newest indexed block; false while some could not be read or checked',
    ),
    balancesComplete: flag(
      'Every address that holds something is listed; false without a genesis file, and where value may have moved in calls that are not known',
    ),
    positionList: z.array(position),
  }),
} as const satisfies Endpoint

export const addressInformation = {
  id: 'E3a',
  method: 'GET',
  path: '/address/information-evm',
  summary: 'Address information',
  params: z.object({ chainShortName, address }),
  data: z.tuple([information]),
} as const satisfies Endpoint

export const addressTokenBalance = {
  id: 'E3b',
  method: 'GET',
  path: '/address/token-balance',
  summary: 'Token balances of an address',
  params: z.object({
    chainShortName,
    address,
    protocolType: choice(['token_20', 'token_721', 'token_1155', 'token_10']).default('token_20'),
    tokenContractAddress: address.optional(),
    ...paging(50),
  }),
  data: pageOf({ tokenList: z.array(tokenBalance) }),
} as const satisfies Endpoint

export const internalTransactionList = {
  id: 'E4a',
  method: 'GET',
  path: '/address/internal-transaction-list',
  summary: 'Internal transaction list by address',
  params: z
    .object({ chainShortName, address, ...heightRange, isFromOrTo: isFromOrTo.optional(), ...paging(50) })
    .superRefine(ordered('startBlockHeight', 'endBlockHeight', numberOrder)),
  data: pageOf({ pendingComplete, internalTransactionsComplete, transactionList: z.array(internalTransaction) }),
} as const satisfies Endpoint

export const tokenTransactionList = {
  id: 'E4b',
  method: 'GET',
  path: '/address/token-transaction-list',
  summary: 'Token transaction list by address',
  params: z
    .object({
      chainShortName,
      address,
      protocolType: choice(['token_20', 'token_721', 'token_1155', 'token_10']).default('token_20'),
      tokenContractAddress: address.optional(),
      ...heightRange,
      isFromOrTo: isFromOrTo.optional(),
      ...paging(50),
    })
    .superRefine(ordered('startBlockHeight', 'endBlockHeight', numberOrder)),
  data: pageOf({ pendingComplete, transactionList: z.array(tokenTransaction) }),
} as const satisfies Endpoint
