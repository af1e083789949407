// Every table of the index, column by column; the migrations create the same columns.
import type { Hex } from '../../chain/bytes/hex.ts'
import {
  type BlockRow,
  type ContractRow,
  type InternalRow,
  type LogRow,
  type MarketRow,
  type NativeBalanceRow,
  OPERATIONS,
  type SupplyRow,
  TOKEN_KINDS,
  type TokenDeltaRow,
  type TokenKind,
  type TokenRow,
  type TraceGapRow,
  type TransactionRow,
  type TransferRow,
  type UnseenMoveRow,
} from './rows.ts'
import {
  address,
  amount,
  bytes,
  createTable,
  emptyForNull,
  integer,
  literal,
  nullable,
  oneOf,
  real,
  text,
} from './table.ts'

export const blocks = createTable<BlockRow>('blocks', {
  height: integer,
  hash: bytes,
  parentHash: bytes,
  timestampMs: integer,
  miner: address,
  size: integer,
  gasUsed: integer,
  gasLimit: integer,
  baseFeePerGas: nullable(amount),
  difficulty: amount,
  nonce: bytes,
  extraData: bytes,
  stateRoot: bytes,
  transactionsRoot: bytes,
  receiptsRoot: bytes,
  ommerCount: integer,
  amount,
  totalFee: amount,
  burnt: amount,
  reward: amount,
  maxTip: amount,
  transactionCount: integer,
  internalCount: nullable(integer),
  token20Count: integer,
  token721Count: integer,
  token1155Count: integer,
  unknownFields: nullable(text),
})

/** `isLarge` marks the transactions that E7 lists. The long columns come last, so that lists do not read them. */
export const transactions = createTable<TransactionRow & { readonly isLarge: 0 | 1 }>('transactions', {
  pos: integer,
  hash: bytes,
  sender: address,
  recipient: nullable(address),
  contractAddress: nullable(address),
  value: amount,
  isLarge: literal<0 | 1>(),
  fee: amount,
  l1Fee: nullable(amount),
  nonce: integer,
  type: integer,
  status: nullable(literal<0 | 1>()),
  gasLimit: integer,
  gasUsed: integer,
  gasPrice: amount,
  maxFeePerGas: nullable(amount),
  maxPriorityFeePerGas: nullable(amount),
  method: bytes,
  error: nullable(text),
  sourceHash: nullable(bytes),
  mint: nullable(amount),
  input: bytes,
  unknownFields: nullable(text),
})

export const logs = createTable<LogRow>('logs', {
  pos: integer,
  txPos: integer,
  address,
  topic0: nullable(bytes),
  topic1: nullable(bytes),
  topic2: nullable(bytes),
  topic3: nullable(bytes),
  data: bytes,
})

export const transfers = createTable<TransferRow>('transfers', {
  pos: integer,
  txPos: integer,
  logIndex: integer,
  kind: literal<TokenKind>(),
  token: address,
  sender: address,
  recipient: address,
  amount,
  tokenId: nullable(amount),
})

export const internals = createTable<InternalRow>('internals', {
  pos: integer,
  txPos: integer,
  depth: integer,
  operation: oneOf(OPERATIONS),
  sender: address,
  recipient: nullable(address),
  value: amount,
  gas: integer,
  gasUsed: integer,
  status: literal<0 | 1>(),
  error: nullable(text),
})

/** What an address took part in; a token kind means a transfer of such a token. */
export type ActivityKind = 'transaction' | 'internal' | TokenKind
export const ACTIVITY_KINDS: readonly ActivityKind[] = ['transaction', 'internal', ...TOKEN_KINDS]
export const FROM = 1
export const TO = 2

/** One row for each address and position; `role` is FROM, TO or both added. */
export type ActivityRow = {
  readonly address: Hex
  readonly kind: ActivityKind
  readonly pos: number
  readonly role: number
  readonly token: Hex | null
}
export const activity = createTable<ActivityRow>('activity', {
  address,
  kind: oneOf(ACTIVITY_KINDS),
  pos: integer,
  role: integer,
  token: nullable(address),
})

export const contracts = createTable<ContractRow>('contracts', {
  address,
  height: integer,
  txPos: nullable(integer),
  creator: nullable(address),
})

export const tokens = createTable<TokenRow>('tokens', {
  address,
  kind: literal<TokenKind>(),
  height: integer,
  issuedMs: integer,
  name: nullable(text),
  symbol: nullable(text),
  decimals: nullable(integer),
})

export const supplies = createTable<Omit<SupplyRow, 'isFirst'> & { readonly isFirst: 0 | 1 }>('token_supplies', {
  token: address,
  height: integer,
  supply: amount,
  isFirst: literal<0 | 1>(),
})

export type TokenCountRow = {
  readonly token: Hex
  readonly transfers: number
  readonly holders: number
  /** The sum of all stored balances; null while it is not known. */
  readonly total: bigint | null
}
export const tokenCounts = createTable<TokenCountRow>('token_counts', {
  token: address,
  transfers: integer,
  holders: integer,
  total: nullable(amount),
})

export const market = createTable<MarketRow>('token_market', {
  token: address,
  price: nullable(text),
  marketCap: real,
  volume24h: real,
  circulatingSupply: nullable(text),
  tvl: nullable(text),
  website: nullable(text),
  logoUrl: nullable(text),
})

/** A balance that is not known is stored as empty bytes, which come before every amount. */
export const nativeBalances = createTable<NativeBalanceRow>('native_balances', {
  address,
  height: integer,
  balance: emptyForNull(amount),
})

export const nativeHistory = createTable<NativeBalanceRow>('native_history', {
  address,
  height: integer,
  balance: emptyForNull(amount),
})

export const traceGaps = createTable<TraceGapRow>('trace_gaps', {
  height: integer,
  transactionIndex: integer,
  reason: text,
  mayMove: literal<0 | 1>(),
})

export const unseenMoves = createTable<UnseenMoveRow>('unseen_moves', { height: integer, transactionType: integer })

/** Current balance of a token, over all its ids; no row where it is zero, unless it is read from the contract. */
export type TokenBalanceRow = {
  readonly token: Hex
  readonly address: Hex
  readonly balance: bigint
  /** The height at which the contract was asked, `NOT_READ` where it must be; null for a sum of events. */
  readonly readHeight: number | null
}
export const tokenBalances = createTable<TokenBalanceRow>('token_balances', {
  token: address,
  address,
  balance: amount,
  readHeight: nullable(integer),
})

/** Current balance of each id of an NFT; no row where it is zero. */
export type TokenItemRow = Omit<TokenBalanceRow, 'readHeight'> & { readonly tokenId: bigint }
export const tokenItems = createTable<TokenItemRow>('token_items', {
  token: address,
  address,
  tokenId: amount,
  balance: amount,
})

export const tokenHistory = createTable<TokenDeltaRow>('token_history', {
  height: integer,
  token: address,
  address,
  tokenId: emptyForNull(amount),
  delta: amount,
})

/** Heights that are stored without a gap, ends included. */
export type StoredRange = { readonly firstHeight: number; readonly lastHeight: number }
export const storedRanges = createTable<StoredRange>('stored_ranges', { firstHeight: integer, lastHeight: integer })
