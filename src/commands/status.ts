// What /status and /ready say of this process.
import type { OperatorView } from '../http/operator.ts'
import type { Database } from '../store/database.ts'
import { askNode } from './node-probe.ts'
import type { Config } from './options.ts'
import { version } from './version.ts'

export const operatorView = (options: { config: Config; database: Database; stopping: AbortSignal }): OperatorView => {
  const { config, database, stopping } = options
  const startedMs = Date.now()
  // The id of a chain never changes: asked until it was answered once.
  let chainId: number | undefined
  const knownChainId = async (): Promise<number | null> => {
    const [url] = config.RPC_URL ?? []
    if (url)
      chainId ??= await askNode(url, 'eth_chainId').then(
        ({ result }) => Number(result),
        () => undefined,
      )
    return chainId ?? null
  }
  const databaseTrouble = async (): Promise<string | undefined> => {
    try {
      await database.all('select 1 as one')
      return undefined
    } catch (error) {
      return `the database does not answer: ${(error as Error).message}`
    }
  }
  return {
    notReadyReasons: async () => {
      if (stopping.aborted) return ['stopping']
      const reasons = [await databaseTrouble()]
      if (config.RPC_URL === undefined) reasons.push('no node: RPC_URL is not set')
      else reasons.push('the chain is not indexed yet')
      return reasons.filter((reason) => reason !== undefined)
    },
    status: async () => ({
      version,
      node: process.version,
      uptimeS: Math.floor((Date.now() - startedMs) / 1000),
      chain: { shortName: config.CHAIN_SHORT_NAME, fullName: config.CHAIN_FULL_NAME, chainId: await knownChainId() },
      roles: config.ROLES,
      heights: { preconfirmed: null, latest: null, safe: null, finalized: null, indexed: null },
      lags: { indexedBlocks: null, feedAgeMs: null },
      database: { engine: database.engine, trouble: (await databaseTrouble()) ?? null },
    }),
  }
}
