// Prices and token lists as a part of a server.
import type { Part } from '../lib/async/lifecycle.ts'
import { ConfigError } from '../lib/config/config.ts'
import type { Log } from '../lib/log.ts'
import { runMarket } from '../market/market.ts'
import { priceSourceFrom } from '../market/price-source.ts'
import type { TokenListSource } from '../market/token-list.ts'
import type { Database } from '../store/engine/database.ts'
import { askNode } from './node-check.ts'
import type { Config } from './options.ts'

/** Does nothing where neither a token list nor a price source is set. */
export function marketPart(options: {
  readonly config: Config
  readonly database: Database
  readonly tokenList: TokenListSource | undefined
  readonly log: Log
}): Part<{ running: Promise<void> }> {
  const { config, database, tokenList, log } = options
  return {
    name: 'market',
    start: (signal) => {
      const prices = config.PRICE_SOURCE === undefined ? undefined : priceSourceFrom(config.PRICE_SOURCE)
      if (config.PRICE_SOURCE !== undefined && !prices) {
        throw new ConfigError(
          'PRICE_SOURCE must be coingecko:<url>#<platform> or defillama:<url>#<chain>, such as defillama:https://host#base',
        )
      }
      if (tokenList === undefined && !prices) return { running: Promise.resolve() }
      const chainId = async () => Number(await askNode(config.RPC_URL![0]!, 'eth_chainId'))
      return { running: runMarket({ database, tokenList, prices, chainId, log }, signal) }
    },
    stop: ({ running }) => running,
  }
}
