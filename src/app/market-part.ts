// Market data as a part of a server: nothing to do without a source.

import type { Lifecycle } from '../lib/async/lifecycle.ts'
import { ConfigError } from '../lib/config/config.ts'
import type { Log } from '../lib/log.ts'
import { runMarket } from '../market/market.ts'
import { priceSourceFrom } from '../market/price-source.ts'
import type { TokenListSource } from '../market/token-list.ts'
import type { Database } from '../store/engine/database.ts'
import { askNode } from './node-probe.ts'

export type MarketPartOptions = {
  readonly database: Database
  readonly tokenList: TokenListSource | undefined
  readonly priceSource: string | undefined
  readonly nodeUrl: string
  readonly log: Log
  readonly lifecycle: Lifecycle
}

export async function startMarketPart(options: MarketPartOptions): Promise<void> {
  const { tokenList, priceSource, nodeUrl, lifecycle, ...rest } = options
  const prices = priceSource === undefined ? undefined : priceSourceFrom(priceSource)
  if (priceSource !== undefined && !prices) {
    throw new ConfigError(
      'PRICE_SOURCE must be coingecko:<url>#<platform> or defillama:<url>#<chain>, such as defillama:https://host#base',
    )
  }
  if (tokenList === undefined && !prices) return
  const chainId = async () => Number(await askNode(nodeUrl, 'eth_chainId'))
  let running: Promise<void> | undefined
  await lifecycle.start({
    name: 'market',
    start: (signal) => {
      running = runMarket({ ...rest, tokenList, prices, chainId }, signal)
    },
    stop: () => running,
  })
}
