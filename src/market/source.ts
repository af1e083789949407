// A source that is asked again when its answer is old. One that fails is asked later and later, and what it said last
// stays until it is too old to be told.
import type { Log } from '../lib/log.ts'
import type { TokenMarkets } from './token-market.ts'

export type Source = {
  /** The newest markets, asked for now if it is time to. */
  markets: (signal: AbortSignal) => Promise<TokenMarkets>
}

export type SourceOptions = {
  readonly name: string
  readonly ask: (signal: AbortSignal) => Promise<TokenMarkets>
  readonly everyMs: number
  /** An older answer is none. */
  readonly lastsMs: number
  readonly log: Log
  readonly nowMs?: () => number
}

const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 600_000

export function createSource({ name, ask, everyMs, lastsMs, log, nowMs = Date.now }: SourceOptions): Source {
  let known: TokenMarkets = NOTHING
  let knownAtMs = 0
  let nextAtMs = 0
  let failures = 0
  return {
    markets: async (signal) => {
      if (nowMs() < nextAtMs) return known
      try {
        known = await ask(signal)
        knownAtMs = nowMs()
        failures = 0
        nextAtMs = knownAtMs + everyMs
      } catch (error) {
        signal.throwIfAborted()
        log.warn({ error }, `market data: the ${name} failed`)
        nextAtMs = nowMs() + retryMs(++failures)
        if (nowMs() - knownAtMs > lastsMs) known = NOTHING
      }
      return known
    },
  }
}

const NOTHING: TokenMarkets = new Map()

/** Twice as long after every failure, and a little at random so that many processes do not ask at once. */
function retryMs(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)) * (0.75 + Math.random() / 2)
}
