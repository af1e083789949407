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
import { isReadFromContract } from '../store/schema/token-checks.ts'
import { afterPending, type List, pageOf, positionList, rankedList, singleList } from './lists/paging.ts'
import { pageAnswer, recordsOf } from './lists/records-of.ts'
import { pendingTransfers } from './pending-parts.ts'
import { isPoolShown } from './pending-transactions.ts'
import { tokenBalanceSource } from './records/balance-source.ts'
import { kindFrom, storable } from './records/parts.ts'
import { precisionOf, tokenPositionRecord, tokenRecord } from './records/token-record.ts'
import type { ListedTransfer } from './records/transfer-record.ts'
import { type AnswerTo, type ChainContext, chainNamesOf } from './state/chain-context.ts'

export const tokenList: AnswerTo<'tokenList'> = async (chain, params) => {
  const { tokenContractAddress, startTime: issuedAfterMs, endTime: issuedBeforeMs } = params
  const orderBy = params.orderBy === 'transactionAmount24h' ? 'volume24h' : 'marketCap'
  const token = tokenContractAddress === undefined ? undefined : await knownToken(chain, tokenContractAddress)
  const kind = token && params.protocolType === undefined ? token.kind : kindFrom(params.protocolType ?? 'token_20')
  const filter = { kind, issuedAfterMs, issuedBeforeMs }
  const list =
    kind === undefined || token
      ? singleList('tokens', token && fits(token, filter) ? token : undefined)
      : tokensOf(chain, { ...filter, kind, orderBy })
  const { rows, paging } = await pageOf(list, params)
  return { data: [{ ...paging, ...chainNamesOf(chain), tokenList: rows.map(tokenRecord) }] }
}

export const tokenTransferList: AnswerTo<'tokenTransferList'> = async (chain, params) => {
  const { reader } = chain
  const token = await knownToken(chain, params.tokenContractAddress)
  const { minAmount, maxAmount } = params
  const isFiltered = minAmount !== undefined || maxAmount !== undefined
  const filter = {
    token: token.address,
    minAmount: minAmount === undefined ? undefined : storable(amountAtLeast(minAmount, precisionOf(token))),
    maxAmount: maxAmount === undefined ? undefined : storable(amountAtMost(maxAmount, precisionOf(token))),
  }
  const list = afterPending<ListedTransfer>(
    { pending: pendingTransfers(chain, filter) },
    positionList('token-transfers', (page) => tokenTransfers(reader, filter, page), {
      count: async () => (isFiltered ? countTokenTransfers(reader, filter) : token.transfers),
    }),
  )
  const { rows, paging } = await pageOf(list, params)
  const totalTransfer = String(token.transfers + pendingTransfers(chain, { token: token.address }).length)
  return pageAnswer(
    { ...paging, ...chainNamesOf(chain), totalTransfer, pendingComplete: isPoolShown(chain) },
    { transactionList: await recordsOf(chain, rows, 'tokenTransfer') },
  )
}

/** Whether E2 shows transfers that are not sealed yet. */
export function showsPendingTransfers(
  chain: ChainContext,
  { tokenContractAddress: token }: { readonly tokenContractAddress: Hex },
): boolean {
  return pendingTransfers(chain, { token }).length > 0
}

export const tokenPositionList: AnswerTo<'tokenPositionList'> = async (chain, params) => {
  const { reader } = chain
  const token = await knownToken(chain, params.tokenContractAddress)
  const { rows, paging } = await pageOf<Holder>(
    params.holderAddress === undefined
      ? rankedList('token-holders', (page) => tokenHolders(reader, token.address, page), {
          count: async () => token.holders,
        })
      : singleList('token-holders', await holderOf(chain, token, params.holderAddress)),
    params,
  )
  // Where balances change without events, events do not show by how much.
  const changes = isReadFromContract(token.check.source) ? NO_CHANGES : await changesOfLastDay(chain, token, rows)
  return {
    data: [
      {
        ...paging,
        ...chainNamesOf(chain),
        circulatingSupply: token.market?.circulatingSupply ?? '',
        ...tokenBalanceSource(token),
        positionList: rows.map((row) => tokenPositionRecord(token, { ...row, change: changes.get(row.address) })),
      },
    ],
  }
}

const NO_CHANGES: ReadonlyMap<Hex, undefined> = new Map()

type Holder = TokenBalanceRow & { readonly rank: number }

async function holderOf({ reader }: ChainContext, { address: token }: Token, address: Hex) {
  const holder = await tokenHolder(reader, token, address)
  return holder && { ...holder, address, token }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Counted back from the newest block. */
async function changesOfLastDay(
  { reader, nowMs }: ChainContext,
  { address: token }: Token,
  holders: readonly Holder[],
) {
  const before = await lastBlockAtTime(reader, nowMs - DAY_MS)
  const since = { token, from: before ? before.height + 1 : 0 }
  return tokenChangesSince(
    reader,
    since,
    holders.map(({ address }) => address),
  )
}

type RankedTokens = TokenFilter & { readonly orderBy: 'marketCap' | 'volume24h' }

function tokensOf({ reader }: ChainContext, { orderBy, ...filter }: RankedTokens): List<Token> {
  return {
    name: orderBy,
    rows: (slice) => {
      if (!('after' in slice)) return tokensByRank(reader, { ...filter, orderBy }, slice)
      const [figure, holders, address] = slice.after
      const beyond = { figure: Number(figure), holders: Number(holders), address: address as Hex }
      return tokensByRank(reader, { ...filter, orderBy }, { limit: slice.limit, beyond })
    },
    count: () => countTokens(reader, filter),
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
async function knownToken({ reader }: ChainContext, address: Hex): Promise<Token> {
  const token = (await tokensByAddress(reader, [address])).get(address)
  if (!token) throw new Failure('unknownToken', `Token does not exist: ${address}.`)
  return token
}
