/** Market data of a token. Amounts are exact decimals as text; unknown fields are absent. */
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

/** Field by field, `second` wins over `first`. */
export function mergedMarkets(first: TokenMarkets, second: TokenMarkets): TokenMarkets {
  const merged = new Map(first)
  for (const [address, market] of second) merged.set(address, { ...first.get(address), ...definedFields(market) })
  return merged
}

function definedFields(market: TokenMarket): TokenMarket {
  return Object.fromEntries(Object.entries(market).filter(([, value]) => value !== undefined))
}
