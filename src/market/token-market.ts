/** What the world beyond the chain knows of a token. Amounts are exact decimals as text; what nobody told is absent. */
export type TokenMarket = {
  readonly priceUsd?: string | undefined
  readonly marketCapUsd?: string | undefined
  readonly circulatingSupply?: string | undefined
  readonly tvlUsd?: string | undefined
  readonly website?: string | undefined
  readonly logoUrl?: string | undefined
}

/** By address in lower case. */
export type TokenMarkets = ReadonlyMap<string, TokenMarket>

/** What `second` says wins over `first`, figure by figure. */
export function mergedMarkets(first: TokenMarkets, second: TokenMarkets): TokenMarkets {
  const merged = new Map(first)
  for (const [address, market] of second) merged.set(address, { ...first.get(address), ...told(market) })
  return merged
}

function told(market: TokenMarket): TokenMarket {
  return Object.fromEntries(Object.entries(market).filter(([, value]) => value !== undefined))
}
