// E1, E2 and the holders of a token.
import type { Hex } from '../chain/bytes/hex.ts'
import { Failure } from '../contract/failure.ts'
import { amountAtLeast, amountAtMost } from '../lib/numbers/decimal.ts'
import { lastBlockAtTime } from '../store/read/blocks.ts'
import { tokenChangesSince } from '../store/read/holder-changes.ts'
import { tokenHolder, tokenHolders } from '../store/read/token-balances.ts'
import {
  countTokens,
  type Token,
  type TokenFilter,
  tokensByAddress,
  tokenList as tokensByRank,
} from '../store/read/tokens.ts'
import { countTokenTransfers, tokenTransfers } from '../store/read/transfers.ts'
import type { TokenKind } from '../store/schema/rows.ts'
import type { TokenBalanceRow } from '../store/schema/tables.ts'
import { positionList, rankedList, singleList } from './lists/lists.ts'
import { type List, pageOf } from './lists/paging.ts'
import { recordsOf } from './lists/records-of.ts'
import { kindFrom, storable } from './records/parts.ts'
import { precisionOf, tokenPositionRecord, tokenRecord } from './records/token-record.ts'
import { tokenTransferRecord } from './records/transfer-record.ts'
import { type AnswerTo, type ChainNow, chainNamesOf } from './state/chain-now.ts'

export const tokenList: AnswerTo<'tokenList'> = async (now, params) => {
  const { tokenContractAddress, startTime: issuedAfterMs, endTime: issuedBeforeMs } = params
  const orderBy = params.orderBy === 'transactionAmount24h' ? 'volume24h' : 'marketCap'
  const kind = kindFrom(params.protocolType)
  const filter = { kind, issuedAfterMs, issuedBeforeMs }
  const token = tokenContractAddress === undefined ? undefined : await knownToken(now, tokenContractAddress)
  const list =
    kind === undefined || token
      ? singleList('tokens', token && fits(token, filter) ? token : undefined)
      : tokensOf(now, { ...filter, kind, orderBy })
  const { rows, paging } = await pageOf(list, params)
  return { data: [{ ...paging, ...chainNamesOf(now), tokenList: rows.map(tokenRecord) }] }
}

export const tokenTransferList: AnswerTo<'tokenTransferList'> = async (now, params) => {
  const { queries } = now
  const token = await knownToken(now, params.tokenContractAddress)
  const { minAmount, maxAmount } = params
  const isFiltered = minAmount !== undefined || maxAmount !== undefined
  const filter = {
    token: token.address,
    minAmount: minAmount === undefined ? undefined : storable(amountAtLeast(minAmount, precisionOf(token))),
    maxAmount: maxAmount === undefined ? undefined : storable(amountAtMost(maxAmount, precisionOf(token))),
  }
  const list = positionList('token-transfers', (page) => tokenTransfers(queries, filter, page), {
    count: async () => (isFiltered ? countTokenTransfers(queries, filter) : token.transfers),
  })
  const { rows, paging } = await pageOf(list, params)
  return {
    data: [
      {
        ...paging,
        ...chainNamesOf(now),
        totalTransfer: String(token.transfers),
        transactionList: await recordsOf(now, rows, tokenTransferRecord),
      },
    ],
  }
}

export const tokenPositionList: AnswerTo<'tokenPositionList'> = async (now, params) => {
  const { queries } = now
  const token = await knownToken(now, params.tokenContractAddress)
  const { rows, paging } = await pageOf<Holder>(
    params.holderAddress === undefined
      ? rankedList('token-holders', (page) => tokenHolders(queries, token.address, page), {
          count: async () => token.holders,
        })
      : singleList('token-holders', await holderOf(now, token, params.holderAddress as Hex)),
    params,
  )
  const changes = await changesOfLastDay(now, token, rows)
  return {
    data: [
      {
        ...paging,
        ...chainNamesOf(now),
        circulatingSupply: token.market?.circulatingSupply ?? '',
        positionList: rows.map((row) => tokenPositionRecord(token, { ...row, change: changes.get(row.address) })),
      },
    ],
  }
}

type Holder = TokenBalanceRow & { readonly rank: number }

async function holderOf({ queries }: ChainNow, { address: token }: Token, address: Hex) {
  const holder = await tokenHolder(queries, token, address)
  return holder && { ...holder, address, token }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Counted back from the newest block. */
async function changesOfLastDay({ queries, nowMs }: ChainNow, { address: token }: Token, holders: readonly Holder[]) {
  const before = await lastBlockAtTime(queries, nowMs - DAY_MS)
  const since = { token, from: before ? before.height + 1 : 0 }
  return tokenChangesSince(
    queries,
    since,
    holders.map(({ address }) => address),
  )
}

type TokenWish = TokenFilter & { readonly orderBy: 'marketCap' | 'volume24h' }

function tokensOf({ queries }: ChainNow, { orderBy, ...filter }: TokenWish): List<Token> {
  return {
    name: orderBy,
    rows: (slice) => {
      if (!('after' in slice)) return tokensByRank(queries, { ...filter, orderBy }, slice)
      const [figure, holders, address] = slice.after
      const beyond = { figure: Number(figure), holders: Number(holders), address: address as Hex }
      return tokensByRank(queries, { ...filter, orderBy }, { limit: slice.limit, beyond })
    },
    count: () => countTokens(queries, filter),
    keyShape: ['number', 'position', 'address'],
    keyOf: ({ market, holders, address }) => [market?.[orderBy] ?? 0, holders, address],
  }
}

/** Both times are excluded: later than the one and earlier than the other (§4 E1). */
function fits(
  token: Token,
  { kind, issuedAfterMs, issuedBeforeMs }: Omit<TokenFilter, 'kind'> & { kind: TokenKind | undefined },
): boolean {
  return (
    token.kind === kind &&
    (issuedAfterMs === undefined || token.issuedMs > issuedAfterMs) &&
    (issuedBeforeMs === undefined || token.issuedMs < issuedBeforeMs)
  )
}

/** The token, or the refusal that there is none. */
async function knownToken({ queries }: ChainNow, address: string): Promise<Token> {
  const token = (await tokensByAddress(queries, [address as Hex])).get(address as Hex)
  if (!token) throw new Failure('unknownToken', `Token does not exist: ${address}.`)
  return token
}
