// What an address holds of tokens: one record a token, and one an id for collectibles.
import type { Hex } from '../chain/bytes/hex.ts'
import {
  countTokenBalancesOf,
  countTokenItemsOf,
  type HoldingFilter,
  readHeightsOf,
  tokenBalancesOf,
  tokenItemsOf,
} from '../store/read/token-balances.ts'
import { tokensByAddress } from '../store/read/tokens.ts'
import { emptyList, type List, pageOf } from './lists/paging.ts'
import { kindFrom } from './records/parts.ts'
import { type Holding, tokenBalanceRecord } from './records/token-record.ts'
import type { AnswerTo, ChainContext } from './state/chain-context.ts'

export const addressTokenBalance: AnswerTo<'addressTokenBalance'> = async (chain, params) => {
  const { rows, paging } = await pageOf(holdingsOf(chain, params), params)
  const tokens = await tokensByAddress(chain.reader, [...new Set(rows.map(({ token }) => token))])
  const tokenList = rows.flatMap((row) => {
    const token = tokens.get(row.token)
    return token ? [tokenBalanceRecord(token, row)] : []
  })
  return { data: [{ ...paging, tokenList }] }
}

type HoldingParams = { address: Hex; tokenContractAddress?: Hex | undefined; protocolType: string }

function holdingsOf(
  { reader }: ChainContext,
  { address, tokenContractAddress, protocolType }: HoldingParams,
): List<Holding> {
  const kind = kindFrom(protocolType)
  if (kind === undefined) return emptyList()
  const filter: HoldingFilter = { address, token: tokenContractAddress, kind }
  if (kind !== 20) {
    return {
      name: 'token-items',
      rows: async (slice) => {
        if (!('after' in slice)) return withReadHeights(reader, address, await tokenItemsOf(reader, filter, slice))
        const [token, tokenId = 0] = slice.after
        const beyond = { token: token as Hex, tokenId: BigInt(tokenId) }
        return withReadHeights(reader, address, await tokenItemsOf(reader, filter, { limit: slice.limit, beyond }))
      },
      count: () => countTokenItemsOf(reader, filter),
      keyShape: ['address', 'amount'],
      keyOf: ({ token, tokenId }) => [token, String(tokenId)],
    }
  }
  return {
    name: 'token-balances',
    rows: async (slice) => {
      const page = 'after' in slice ? { limit: slice.limit, beyond: slice.after[0] as Hex } : slice
      return (await tokenBalancesOf(reader, filter, page)).map((row) => ({ ...row, tokenId: null }))
    },
    count: () => countTokenBalancesOf(reader, filter),
    keyShape: ['address'],
    keyOf: ({ token }) => [token],
  }
}

async function withReadHeights(
  reader: ChainContext['reader'],
  address: Hex,
  items: Awaited<ReturnType<typeof tokenItemsOf>>,
): Promise<Holding[]> {
  const heights = await readHeightsOf(reader, address, [...new Set(items.map(({ token }) => token))])
  return items.map((item) => ({ ...item, readHeight: heights.get(item.token) ?? null }))
}
