// Prices over HTTP from APIs of the CoinGecko or DefiLlama kind. The fragment of the URL is the source's name of the chain:
// `coingecko:https://host/api/v3#x-layer`, `defillama:https://host#xlayer`. A query is passed on, because it may contain an API key.
import { plainDecimal } from '../lib/numbers/decimal.ts'
import { fetchJson, SourceFailed } from './fetch-json.ts'
import type { TokenMarket, TokenMarkets } from './source.ts'

export type PriceSource = {
  readonly name: string
  prices: (addresses: readonly string[], signal: AbortSignal) => Promise<TokenMarkets>
}

/** Undefined where the text names no source. */
export function priceSourceFrom(text: string): PriceSource | undefined {
  const [, shape, address] = /^(coingecko|defillama):(https?:\/\/.+)$/.exec(text) ?? []
  if (!shape || !address || !URL.canParse(address)) return undefined
  const base = new URL(address)
  const chain = decodeURIComponent(base.hash.slice(1))
  if (chain === '') return undefined
  base.hash = ''
  return shapes[shape as keyof typeof shapes](base, chain)
}

/** Addresses per request; some sources refuse longer URLs. */
const BATCH = 100

const shapes = {
  coingecko: (base: URL, platform: string): PriceSource => ({
    name: 'coingecko',
    prices: inBatches(async (addresses, signal) => {
      const url = below(base, `simple/token_price/${encodeURIComponent(platform)}`)
      url.searchParams.set('contract_addresses', addresses.join(','))
      url.searchParams.set('vs_currencies', 'usd')
      url.searchParams.set('include_market_cap', 'true')
      return Object.entries(objectFrom(await fetchJson(url, signal))).map(([address, price]) => {
        const { usd, usd_market_cap } = objectFrom(price)
        return [address, { priceUsd: plainDecimal(usd), marketCapUsd: positive(plainDecimal(usd_market_cap)) }]
      })
    }),
  }),
  defillama: (base: URL, chain: string): PriceSource => ({
    name: 'defillama',
    prices: inBatches(async (addresses, signal) => {
      const coins = addresses.map((address) => `${chain}:${address}`).join(',')
      const answer = objectFrom(await fetchJson(below(base, `prices/current/${coins}`), signal))
      return Object.entries(objectFrom(answer.coins)).map(([coin, price]) => [
        coin.slice(coin.indexOf(':') + 1),
        { priceUsd: plainDecimal(objectFrom(price).price) },
      ])
    }),
  }),
}

type FetchBatch = (addresses: readonly string[], signal: AbortSignal) => Promise<(readonly [string, TokenMarket])[]>

function inBatches(fetchBatch: FetchBatch): PriceSource['prices'] {
  return async (addresses, signal) => {
    const markets = new Map<string, TokenMarket>()
    for (let i = 0; i < addresses.length; i += BATCH) {
      const batch = addresses.slice(i, i + BATCH)
      for (const [address, market] of await fetchBatch(batch, signal)) {
        // Ignores addresses that were not requested.
        if (batch.includes(address.toLowerCase())) markets.set(address.toLowerCase(), market)
      }
    }
    return markets
  }
}

function below(base: URL, path: string): URL {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return url
}

/** A source that does not know a market cap returns 0. */
function positive(decimal: string | undefined): string | undefined {
  return decimal === '0' ? undefined : decimal
}

function objectFrom(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null)
    throw new SourceFailed('the price source answers in an unknown format')
  return value as Record<string, unknown>
}
