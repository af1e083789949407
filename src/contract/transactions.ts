import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import {
  chainPageOf,
  flag,
  hexHash,
  internalTransactionsComplete,
  isContractExact,
  methodId,
  operation,
  pageOf,
  pendingComplete,
  quantity,
  sides,
  stage,
  state,
  transactionTime,
  transactionType,
  units,
  words,
} from './fields.ts'
import { amount, chainShortName, choice, decimalOrder, hash, hashes, height, paging } from './params.ts'

/** §8: the smallest threshold of E7. */
const LARGE_MINIMUM = '100'

const blockFields = {
  blockHash: hexHash('Block'),
  height: quantity('Block height; empty while it waits in a pool'),
  transactionTime,
}

/** E7 and E8. `input` is the sender, `output` the recipient (docs/spec-gaps.md#14). */
const listed = z.object({
  txid: hexHash('Transaction'),
  ...blockFields,
  input: hexHash('Sender'),
  output: hexHash('Recipient; empty for a contract creation'),
  isInputContract: flag('The sender is a contract'),
  isOutputContract: flag('The recipient is a contract'),
  isFromContract: flag('The sender is a contract, in its other spelling'),
  isToContract: flag('The recipient is a contract, in its other spelling'),
  isContractExact,
  amount: units('Amount'),
  transactionSymbol: words('Symbol of the native currency'),
  txfee: units('Fee'),
  methodId,
  transactionType,
  state,
  stage,
  contractAddress: hexHash('Contract created by the transaction'),
})

const byHash = z.object({
  txId: hexHash('Transaction'),
  methodId,
  ...blockFields,
  ...sides,
  amount: units('Amount'),
  symbol: words('Symbol of the native currency'),
  nonce: quantity('Nonce'),
  txFee: units('Fee'),
  gasPrice: units('Effective gas price'),
  gasLimit: quantity('Gas limit'),
  gasUsed: quantity('Gas used'),
  state,
  stage,
  transactionType,
  contractAddress: hexHash('Contract created by the transaction'),
})

const tokenTransfer = z.object({
  txId: hexHash('Transaction'),
  ...blockFields,
  ...sides,
  tokenContractAddress: hexHash('Token'),
  amount: units('Amount; 1 for an ERC-721'),
  tokenId: words('Token id of ERC-721 and ERC-1155'),
  symbol: words('Token symbol'),
})

const internalTransaction = {
  txId: hexHash('Transaction'),
  height: quantity('Block height'),
  transactionTime,
  operation,
  ...sides,
  amount: units('Native amount'),
}

const internalOfBatch = z.object({ ...internalTransaction, blockHash: hexHash('Block') })
const internalDetail = z.object({ ...internalTransaction, state })

function side(description: string) {
  return {
    isContract: flag(`${description} is a contract`),
    isContractExact,
    amount: units('Native amount'),
  }
}

const decodedArgument = z.object({
  name: words('Name'),
  type: words('Type'),
  value: words('Value'),
})

const fills = z.object({
  txid: hexHash('Transaction'),
  ...blockFields,
  index: quantity('Position in the block'),
  confirm: quantity('Confirmations: canonical blocks above its own'),
  amount: units('Amount'),
  transactionSymbol: words('Symbol of the native currency'),
  txfee: units('Fee'),
  inputDetails: z.array(z.object({ inputHash: hexHash('Sender'), ...side('The sender') })),
  outputDetails: z.array(z.object({ outputHash: hexHash('Recipient'), ...side('The recipient') })),
  state,
  stage,
  gasLimit: quantity('Gas limit'),
  gasUsed: quantity('Gas used'),
  gasPrice: units('Effective gas price'),
  nonce: quantity('Nonce'),
  transactionType,
  methodId,
  errorLog: words('Why the transaction failed'),
  inputData: words('Call data as hex'),
  decodedInput: z
    .array(
      z.object({
        method: words('Signature of the method'),
        isGuess: flag('By its selector alone: the contract’s own ABI is not known'),
        arguments: z.array(decodedArgument),
      }),
    )
    .meta({ description: 'The decoded call; empty where nobody knows what it means' }),
  totalTransactionSize: words('Always empty: a figure of chains with outputs'),
  virtualSize: words('Always empty: a figure of chains with outputs'),
  weight: words('Always empty: a figure of chains with outputs'),
  isAaTransaction: flag('The transaction calls an ERC-4337 entry point'),
  unknownFields: words(
    'Fields of the transaction, and of its receipt under `receipt`, that Firstlight does not know, as JSON; empty where there are none',
  ),
  contractAddress: hexHash('Contract created by the transaction'),
  tokenTransferDetails: z.array(
    z.object({
      index: quantity('Position in the transaction'),
      token: words('Token name'),
      tokenContractAddress: hexHash('Token'),
      symbol: words('Token symbol'),
      ...sides,
      tokenId: words('Token id of ERC-721 and ERC-1155'),
      amount: units('Amount; 1 for an ERC-721'),
    }),
  ),
  internalTransactionsComplete,
  contractDetails: z.array(
    z.object({
      index: quantity('Position in the transaction'),
      ...sides,
      operation,
      amount: units('Native amount'),
      gasLimit: quantity('Gas given to the call'),
      state,
    }),
  ),
})

export const largeTransactionList = {
  id: 'E7',
  method: 'GET',
  path: '/transaction/large-transaction-list',
  summary: 'Large transaction list',
  params: z.object({
    chainShortName,
    type: amount
      .refine((value) => decimalOrder(LARGE_MINIMUM, value), `must be at least ${LARGE_MINIMUM}`)
      .default(LARGE_MINIMUM)
      .meta({ description: `Only transactions that move more than this many native units; at least ${LARGE_MINIMUM}` }),
    height: height.optional(),
    ...paging(50),
  }),
  data: chainPageOf({ pendingComplete, transactionList: z.array(listed) }),
} as const satisfies Endpoint

export const transactionList = {
  id: 'E8',
  method: 'GET',
  path: '/transaction/transaction-list',
  summary: 'Transaction list',
  description: 'The latest 10,000 records by page; `after` walks on past them.',
  params: z.object({ chainShortName, blockHash: hash.optional(), height: height.optional(), ...paging(50) }),
  data: chainPageOf({ pendingComplete, transactionList: z.array(listed) }),
} as const satisfies Endpoint

export const transactionMulti = {
  id: 'E10',
  method: 'GET',
  path: '/transaction/transaction-multi',
  summary: 'Batch get transactions by hash',
  params: z.object({ chainShortName, txId: hashes }),
  data: z.array(byHash),
} as const satisfies Endpoint

export const tokenTransferMulti = {
  id: 'E11',
  method: 'GET',
  path: '/transaction/token-transfer-multi',
  summary: 'Batch get token transactions by hash',
  params: z.object({
    chainShortName,
    txId: hashes,
    protocolType: choice(['token_20', 'token_721', 'token_1155', 'token_10']).optional(),
    ...paging(100),
  }),
  data: pageOf({
    tokenTransferDetails: z.array(tokenTransfer),
    transactionList: z.array(tokenTransfer).meta({ description: 'The same list, in its other spelling' }),
  }),
} as const satisfies Endpoint

export const internalTransactionMulti = {
  id: 'E13',
  method: 'GET',
  path: '/transaction/internal-transaction-multi',
  summary: 'Batch get internal transactions by hash',
  params: z.object({ chainShortName, txId: hashes, ...paging(100) }),
  data: pageOf({
    internalTransactionsComplete,
    internalTransactionDetails: z.array(internalOfBatch),
    transactionList: z.array(internalOfBatch).meta({ description: 'The same list, in its other spelling' }),
  }),
} as const satisfies Endpoint

export const internalTransactionDetail = {
  id: 'E14',
  method: 'GET',
  path: '/transaction/internal-transaction-detail',
  summary: 'Internal transactions by hash',
  params: z.object({ chainShortName, txId: hash, ...paging(100) }),
  data: pageOf({
    internalTransactionsComplete,
    internalTransactionDetails: z.array(internalDetail),
  }),
} as const satisfies Endpoint

export const transactionFills = {
  id: 'E10a',
  method: 'GET',
  path: '/transaction/transaction-fills',
  summary: 'Transaction details',
  description: 'Everything of up to 20 transactions: call data, token transfers and internal transactions included.',
  params: z.object({ chainShortName, txid: hashes }),
  data: z.array(fills),
} as const satisfies Endpoint

export const unconfirmedTransactionList = {
  id: 'E8a',
  method: 'GET',
  path: '/transaction/unconfirmed-transaction-list',
  summary: 'Unconfirmed transaction list',
  description:
    'Transactions that no canonical block has: those that wait in the pool of the node, then the preconfirmed ones.',
  params: z.object({ chainShortName, ...paging(50) }),
  data: chainPageOf({
    pendingComplete,
    pendingNote: words('Why transactions may be missing; empty where none are'),
    transactionList: z.array(listed),
  }),
} as const satisfies Endpoint
