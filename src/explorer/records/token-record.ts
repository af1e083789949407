import type { Hex } from '../../chain/bytes/hex.ts'
import { plainDecimal, productOf } from '../../lib/numbers/decimal.ts'
import type { Token } from '../../store/read/tokens.ts'
import { holderBalanceSource, tokenBalanceSource } from './balance-source.ts'
import { protocolTypeOf, tokenUnits } from './parts.ts'

/** An item of E1. Market data is empty where no source has it (docs/spec-gaps.md#30). */
export function tokenRecord(token: Token) {
  return {
    tokenFullName: token.name ?? '',
    token: token.symbol ?? '',
    precision: String(precisionOf(token)),
    tokenContractAddress: token.address,
    protocolType: protocolTypeOf(token.kind),
    addressCount: String(token.holders),
    totalSupply: token.supply === null ? '' : tokenUnits(token.supply, { decimals: precisionOf(token) }),
    circulatingSupply: token.market?.circulatingSupply ?? '',
    price: token.market?.price ?? '',
    website: token.market?.website ?? '',
    totalMarketCap: figure(token.market?.marketCap),
    issueDate: String(token.issuedMs),
    transactionAmount24h: hasPrice(token) ? (plainDecimal(token.market?.volume24h) ?? '') : '',
    tvl: token.market?.tvl ?? '',
    logoUrl: token.market?.logoUrl ?? '',
    ...tokenBalanceSource(token),
  }
}

type RankedHolder = {
  readonly address: Hex
  readonly balance: bigint
  readonly rank: number
  readonly readHeight: number | null
  /** Of the last day; undefined where it is not known. */
  readonly change: bigint | undefined
}

/** An item of token/position-list. */
export function tokenPositionRecord(token: Token, holder: RankedHolder) {
  const amount = tokenUnits(holder.balance, { decimals: precisionOf(token) })
  return {
    rank: String(holder.rank),
    holderAddress: holder.address,
    amount,
    valueUsd: usdValue(token, amount),
    positionChange24h: holder.change === undefined ? '' : tokenUnits(holder.change, { decimals: precisionOf(token) }),
    ...holderBalanceSource(token, holder.readHeight),
  }
}

const tokenTypes = { 20: 'ERC20', 721: 'ERC721', 1155: 'ERC1155' } as const

export type Holding = {
  readonly token: Hex
  readonly balance: bigint
  readonly tokenId: bigint | null
  readonly readHeight: number | null
}

/** An item of address/token-balance. */
export function tokenBalanceRecord(token: Token, { balance, tokenId, readHeight }: Holding) {
  const amount = tokenUnits(balance, { decimals: precisionOf(token) })
  return {
    symbol: token.symbol ?? '',
    tokenContractAddress: token.address,
    tokenType: tokenTypes[token.kind],
    protocolType: protocolTypeOf(token.kind),
    holdingAmount: amount,
    priceUsd: token.market?.price ?? '',
    valueUsd: usdValue(token, amount),
    tokenId: tokenId === null ? '' : tokenId.toString(),
    ...holderBalanceSource(token, readHeight),
  }
}

/** Collectibles are counted, whatever `decimals` their contract claims. */
export function precisionOf({ kind, decimals }: Pick<Token, 'kind' | 'decimals'>): number {
  return kind === 20 ? (decimals ?? 0) : 0
}

function hasPrice({ kind, market }: Token): boolean {
  return kind === 20 && market?.price != null
}

function usdValue(token: Token, amount: string): string {
  return hasPrice(token) ? productOf(token.market!.price!, amount) : ''
}

/** 0 stands for unknown where figures order lists. */
function figure(value: number | undefined): string {
  return value ? (plainDecimal(value) ?? '') : ''
}
