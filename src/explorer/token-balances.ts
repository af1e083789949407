// What an address holds of tokens: one record a token, and one an id for collectibles.
import type { Hex } from '../chain/bytes/hex.ts'
import {
  countTokenBalancesOf,
  countTokenItemsOf,
  type HoldingFilter,
  tokenBalancesOf,
  tokenItemsOf,
} from '../store/read/token-balances.ts'
import { tokensByAddress } from '../store/read/tokens.ts'
import { emptyList, type List, pageOf } from './lists/paging.ts'
import { kindFrom } from './records/parts.ts'
import { type Holding, tokenBalanceRecord } from './records/token-record.ts'
import type { AnswerTo, ChainNow } from './state/chain-now.ts'

export const addressTokenBalance: AnswerTo<'addressTokenBalance'> = async (now, params) => {
  const { rows, paging } = await pageOf(holdingsOf(now, params), params)
  const tokens = await tokensByAddress(now.queries, [...new Set(rows.map(({ token }) => token))])
  const tokenList = rows.flatMap((row) => {
    const token = tokens.get(row.token)
    return token ? [tokenBalanceRecord(token, row)] : []
  })
  return { data: [{ ...paging, tokenList }] }
}

type HoldingParams = { address: string; tokenContractAddress?: string | undefined; protocolType: string }

function holdingsOf(
  { queries }: ChainNow,
  { address, tokenContractAddress, protocolType }: HoldingParams,
): List<Holding> {
  const kind = kindFrom(protocolType)
  if (kind === undefined) return emptyList()
  const filter: HoldingFilter = { address: address as Hex, token: tokenContractAddress as Hex | undefined, kind }
  if (kind !== 20) {
    return {
      name: 'token-items',
      rows: (slice) => {
        if (!('after' in slice)) return tokenItemsOf(queries, filter, slice)
        const [token, tokenId = 0] = slice.after
        return tokenItemsOf(queries, filter, {
          limit: slice.limit,
          beyond: { token: token as Hex, tokenId: BigInt(tokenId) },
        })
      },
      count: () => countTokenItemsOf(queries, filter),
      keyShape: ['address', 'amount'],
      keyOf: ({ token, tokenId }) => [token, String(tokenId)],
    }
  }
  return {
    name: 'token-balances',
    rows: async (slice) => {
      const page = 'after' in slice ? { limit: slice.limit, beyond: slice.after[0] as Hex } : slice
      return (await tokenBalancesOf(queries, filter, page)).map((row) => ({ ...row, tokenId: null }))
    },
    count: () => countTokenBalancesOf(queries, filter),
    keyShape: ['address'],
    keyOf: ({ token }) => [token],
  }
}
