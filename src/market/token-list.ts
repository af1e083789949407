// Token lists (tokenlists.org) from a file or a URL: logos, and in `extensions` further data from the operator.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { plainDecimal } from '../lib/numbers/decimal.ts'
import { fetchJson, SourceFailed } from './fetch-json.ts'
import type { TokenMarket, TokenMarkets } from './source.ts'

/** The limit of the token list schema. */
const MAX_TOKENS = 10_000

const listed = z.object({
  chainId: z.number(),
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  logoURI: z.string().max(2_000).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
})

const tokenList = z.object({ tokens: z.array(z.unknown()).max(MAX_TOKENS) })

/** A path, a URL, or the list itself. */
export type TokenListSource = string | { readonly tokens: readonly unknown[] }

export async function readTokenList(
  source: TokenListSource,
  chainId: number,
  signal: AbortSignal,
): Promise<TokenMarkets> {
  return marketsFromList(typeof source === 'string' ? await jsonAt(source, signal) : source, chainId)
}

/** Tokens of other chains and malformed ones are left out. */
export function marketsFromList(json: unknown, chainId: number): TokenMarkets {
  const list = tokenList.safeParse(json)
  if (!list.success) throw new SourceFailed('the token list does not have the shape of tokenlists.org')
  const markets = new Map<string, TokenMarket>()
  for (const each of list.data.tokens) {
    const token = listed.safeParse(each)
    if (!token.success || token.data.chainId !== chainId) continue
    const { address, logoURI, extensions = {} } = token.data
    markets.set(address.toLowerCase(), {
      logoUrl: logoURI,
      website: webAddress(extensions.website),
      priceUsd: plainDecimal(extensions.priceUsd),
      marketCapUsd: plainDecimal(extensions.marketCapUsd),
      circulatingSupply: plainDecimal(extensions.circulatingSupply),
      tvlUsd: plainDecimal(extensions.tvlUsd),
    })
  }
  return markets
}

async function jsonAt(pathOrUrl: string, signal: AbortSignal): Promise<unknown> {
  if (/^https?:\/\//.test(pathOrUrl)) return fetchJson(new URL(pathOrUrl), signal)
  try {
    return JSON.parse(await readFile(pathOrUrl, { encoding: 'utf8', signal }))
  } catch (error) {
    throw new SourceFailed(`the token list ${pathOrUrl} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

function webAddress(value: unknown): string | undefined {
  return typeof value === 'string' && /^https?:\/\/\S{1,500}$/.test(value) ? value : undefined
}
