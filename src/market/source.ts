// Caches the answer of a source and reads it again when it is old. After each failure the wait doubles, and the last answer is used until
// it is too old.
import type { Log } from '../lib/log.ts'

export type Source = {
  /** The newest answer; reads the source first if that is due. */
  markets: (signal: AbortSignal) => Promise<TokenMarkets>
}

export type SourceOptions = {
  readonly name: string
  readonly read: (signal: AbortSignal) => Promise<TokenMarkets>
  readonly everyMs: number
  /** An older answer is not used. */
  readonly lastsMs: number
  readonly log: Log
  readonly nowMs?: () => number
}

const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 600_000

export function createSource({ name, read, everyMs, lastsMs, log, nowMs = Date.now }: SourceOptions): Source {
  let known: TokenMarkets = NOTHING
  let knownAtMs = 0
  let nextAtMs = 0
  let failures = 0
  return {
    markets: async (signal) => {
      if (nowMs() < nextAtMs) return known
      try {
        known = await read(signal)
        knownAtMs = nowMs()
        failures = 0
        nextAtMs = knownAtMs + everyMs
      } catch (error) {
        signal.throwIfAborted()
        log.warn({ error }, `market: the ${name} failed`)
        nextAtMs = nowMs() + retryMs(++failures)
        if (nowMs() - knownAtMs > lastsMs) known = NOTHING
      }
      return known
    },
  }
}

const NOTHING: TokenMarkets = new Map()

/** Doubles after every failure; the random part keeps processes from asking at the same moment. */
function retryMs(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)) * (0.75 + Math.random() / 2)
}

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
