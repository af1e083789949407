import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import {
  balanceSource,
  chainPageOf,
  hexHash,
  methodId,
  pendingComplete,
  protocolType,
  quantity,
  sides,
  stage,
  state,
  timeMs,
  transactionTime,
  units,
  usd,
  words,
} from './fields.ts'
import {
  address,
  amount,
  chainShortName,
  choice,
  decimalOrder,
  numberOrder,
  ordered,
  paging,
  timestampMs,
} from './params.ts'

/** §8: the span of E1's issue dates. */
const ONE_YEAR_MS = 365 * 24 * 60 * 60 * 1000

const token = z.object({
  tokenFullName: words('Name'),
  token: words('Symbol'),
  precision: quantity('Decimals'),
  tokenContractAddress: hexHash('Contract'),
  protocolType,
  addressCount: quantity('Holders'),
  totalSupply: units('Supply'),
  circulatingSupply: units('Circulating supply across all chains'),
  price: usd('Price'),
  website: words('Website'),
  totalMarketCap: usd('Market capitalisation across all chains'),
  issueDate: timeMs('Time of the creating block'),
  transactionAmount24h: usd('Transferred in the last 24 hours'),
  tvl: usd('Total value locked'),
  logoUrl: words('Logo'),
  ...balanceSource,
})

const transfer = z.object({
  txid: hexHash('Transaction'),
  blockHash: hexHash('Block'),
  height: quantity('Block height'),
  transactionTime,
  ...sides,
  amount: units('Amount; 1 for an ERC-721'),
  transactionSymbol: words('Token symbol'),
  methodId,
  tokenContractAddress: hexHash('Token'),
  protocolType,
  state,
  stage,
  tokenId: words('Token id of ERC-721 and ERC-1155; empty otherwise'),
})

const position = z.object({
  rank: quantity('Rank, from 1'),
  holderAddress: hexHash('Holder'),
  amount: units('Balance'),
  valueUsd: usd('Value of the balance'),
  positionChange24h: units(
    'Balance now less the balance 24 hours before the newest block; empty for a holder of too many transfers, and where ' +
      'balances are read from the contract',
  ),
  ...balanceSource,
})

export const tokenList = {
  id: 'E1',
  method: 'GET',
  path: '/token/token-list',
  summary: 'Token list',
  description: 'Basic token information; tokens can be filtered by issue date.',
  params: z
    .object({
      chainShortName,
      protocolType: choice(['token_20', 'token_721', 'token_1155', 'token_10'])
        .optional()
        .meta({ description: 'token_20 when left out; with `tokenContractAddress` any', default: 'token_20' }),
      tokenContractAddress: address.optional(),
      startTime: timestampMs.optional(),
      endTime: timestampMs.optional(),
      orderBy: choice(['totalMarketCap', 'transactionAmount24h'])
        .optional()
        .meta({ description: 'Descending; only for token_20; market cap when left out' }),
      ...paging(50),
    })
    .superRefine(ordered('startTime', 'endTime', numberOrder))
    .superRefine(({ startTime, endTime, orderBy, protocolType }, context) => {
      if (startTime !== undefined && endTime !== undefined && endTime - startTime > ONE_YEAR_MS) {
        context.addIssue({ code: 'custom', path: ['endTime'], message: 'must be at most one year after startTime' })
      }
      if (orderBy !== undefined && (protocolType ?? 'token_20') !== 'token_20') {
        context.addIssue({ code: 'custom', path: ['orderBy'], message: 'is only for protocolType token_20' })
      }
    }),
  data: chainPageOf({ tokenList: z.array(token) }),
} as const satisfies Endpoint

export const tokenTransferList = {
  id: 'E2',
  method: 'GET',
  path: '/token/transaction-list',
  summary: 'Token transfer details',
  params: z
    .object({
      chainShortName,
      tokenContractAddress: address,
      minAmount: amount.optional(),
      maxAmount: amount.optional(),
      ...paging(50),
    })
    .superRefine(ordered('minAmount', 'maxAmount', decimalOrder)),
  data: chainPageOf({
    totalTransfer: quantity('All transfers of the token'),
    pendingComplete,
    transactionList: z.array(transfer),
  }),
} as const satisfies Endpoint

export const tokenPositionList = {
  id: 'E12a',
  method: 'GET',
  path: '/token/position-list',
  summary: 'Token holders',
  description: 'Holders by balance. Of an ERC-1155 contract all its ids count together.',
  params: z.object({
    chainShortName,
    tokenContractAddress: address,
    holderAddress: address.optional(),
    ...paging(100),
  }),
  data: chainPageOf({
    circulatingSupply: units('Circulating supply'),
    ...balanceSource,
    positionList: z.array(position),
  }),
} as const satisfies Endpoint
