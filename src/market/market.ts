// Updates the stored market data: reads the sources, computes market caps and the volume of a day, and writes what changed. One process
// does this for all.
import type { Hex } from '../chain/bytes/hex.ts'
import type { Log } from '../lib/log.ts'
import { decimalFrom, productOf } from '../lib/numbers/decimal.ts'
import { writeMarket } from '../store/chain/market.ts'
import type { Database } from '../store/engine/database.ts'
import { lastBlockAtTime } from '../store/read/blocks.ts'
import { chainState } from '../store/read/chain-state.ts'
import { type Token, tokensByAddress, tokenList as tokensByRank } from '../store/read/tokens.ts'
import { transferredSince } from '../store/read/transfers.ts'
import { positionOf } from '../store/schema/position.ts'
import type { MarketRow } from '../store/schema/rows.ts'
import type { PriceSource } from './price-source.ts'
import { createSource, mergedMarkets, type Source, type TokenMarket, type TokenMarkets } from './source.ts'
import { readTokenList, type TokenListSource } from './token-list.ts'

export type MarketOptions = {
  readonly database: Database
  readonly tokenList: TokenListSource | undefined
  readonly chainId: () => Promise<number>
  readonly prices: PriceSource | undefined
  readonly log: Log
}

const TICK_MS = 5_000
const REWRITE_EVERY_MS = 60_000
const LIST_EVERY_MS = 3_600_000
const PRICES_EVERY_MS = 60_000
const DAY_MS = 86_400_000
/** A list stays valid for long, a price does not. */
const LIST_LASTS_MS = 30 * DAY_MS
const PRICES_LAST_MS = 3_600_000
/** Only so many tokens are sent to the price source. */
const MAX_PRICED = 1_000

/** Ends with the signal; after a failure it tries again. */
export async function runMarket(options: MarketOptions, signal: AbortSignal): Promise<void> {
  const { database, log } = options
  const sources = sourcesOf(options)
  let writtenAtMs = Number.NEGATIVE_INFINITY
  let written = ''
  while (!signal.aborted) {
    try {
      const markets = await marketsOf(sources, signal)
      const tokens = [...(await tokensByAddress(database, [...markets.keys()] as Hex[])).values()]
      // New tokens are part of the comparison, so that a new token gets its logo at once.
      const facts = JSON.stringify([tokens.map(({ address, supply }) => [address, String(supply)]), [...markets]])
      if (facts !== written || performance.now() - writtenAtMs > REWRITE_EVERY_MS) {
        await writeMarket(database, await marketRows(database, tokens, markets))
        written = facts
        writtenAtMs = performance.now()
      }
    } catch (error) {
      if (signal.aborted) return
      log.warn({ error }, 'market: the data could not be written')
    }
    await pause(TICK_MS, signal)
  }
}

/** Rows of these tokens for the current state of the chain. */
export async function marketRows(
  database: Database,
  tokens: readonly Token[],
  markets: TokenMarkets,
): Promise<MarketRow[]> {
  const yesterday = await positionOfYesterday(database)
  const rows: MarketRow[] = []
  for (const token of tokens) {
    const market = markets.get(token.address)
    if (market) rows.push(await marketRow(database, token, { market, yesterday }))
  }
  return rows
}

async function marketRow(
  database: Database,
  token: Token,
  { market, yesterday }: { market: TokenMarket; yesterday: number },
): Promise<MarketRow> {
  const { priceUsd } = market
  const isPriced = priceUsd !== undefined && token.kind === 20
  const moved = isPriced ? await transferredSince(database, token.address, yesterday) : 0n
  return {
    token: token.address,
    price: priceUsd ?? null,
    marketCap: Number(market.marketCapUsd ?? capFrom(token, market) ?? 0),
    volume24h: isPriced ? Number(productOf(priceUsd, decimalFrom(moved, token.decimals ?? 0))) : 0,
    circulatingSupply: market.circulatingSupply ?? null,
    tvl: market.tvlUsd ?? null,
    website: market.website ?? null,
    logoUrl: market.logoUrl ?? null,
  }
}

/** From the circulating supply or, if no source reports it, from the total supply. */
function capFrom({ kind, supply, decimals }: Token, market: TokenMarket): string | undefined {
  if (market.priceUsd === undefined || kind !== 20) return undefined
  const circulating = market.circulatingSupply ?? (supply === null ? undefined : decimalFrom(supply, decimals ?? 0))
  return circulating === undefined ? undefined : productOf(market.priceUsd, circulating)
}

/** The position one day before the newest block. */
async function positionOfYesterday(database: Database): Promise<number> {
  const { head } = await chainState(database)
  const before = head && (await lastBlockAtTime(database, head.timestampMs - DAY_MS))
  return before ? positionOf(before.height + 1, 0) : 0
}

function sourcesOf({ database, tokenList, chainId, prices, log }: MarketOptions): Source[] {
  const sources: Source[] = []
  if (tokenList !== undefined) {
    const read = async (signal: AbortSignal) => readTokenList(tokenList, await chainId(), signal)
    sources.push(createSource({ name: 'token list', read, everyMs: LIST_EVERY_MS, lastsMs: LIST_LASTS_MS, log }))
  }
  if (prices) {
    const read = async (signal: AbortSignal) => {
      const tokens = await tokensByRank(database, { kind: 20 }, { limit: MAX_PRICED })
      return prices.prices(
        tokens.map(({ address }) => address),
        signal,
      )
    }
    sources.push(createSource({ name: prices.name, read, everyMs: PRICES_EVERY_MS, lastsMs: PRICES_LAST_MS, log }))
  }
  return sources
}

async function marketsOf(sources: readonly Source[], signal: AbortSignal): Promise<TokenMarkets> {
  let markets: TokenMarkets = new Map()
  for (const source of sources) markets = mergedMarkets(markets, await source.markets(signal))
  return markets
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
