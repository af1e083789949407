// What /status and /ready say of this process.
import type { OperatorView } from '../http/operator.ts'
import type { Database } from '../store/database.ts'
import { chainState } from '../store/read/head.ts'
import type { IngestPart } from './ingest-part.ts'
import { askNode } from './node-probe.ts'
import type { Config } from './options.ts'
import { version } from './version.ts'

/** More blocks behind the node's head than this, and answers are called stale. */
const MAX_LAG_BLOCKS = 10

export const operatorView = (options: {
  config: Config
  database: Database
  ingest: IngestPart | undefined
  stopping: AbortSignal
}): OperatorView => {
  const { config, database, ingest, stopping } = options
  const startedMs = Date.now()
  const chainId = createChainId(config.RPC_URL?.[0])

  const stored = async () => {
    try {
      return { state: await chainState(database), trouble: null }
    } catch (error) {
      return { state: undefined, trouble: (error as Error).message }
    }
  }
  const lagOf = (indexed: number | null): number | null => {
    const head = ingest?.progress().head ?? null
    return head === null || indexed === null ? null : Math.max(0, head - indexed)
  }

  return {
    notReadyReasons: async () => {
      if (stopping.aborted) return ['stopping']
      const { state, trouble } = await stored()
      if (!state) return [`the database does not answer: ${trouble}`]
      const indexed = state.head?.height ?? null
      const lag = lagOf(indexed)
      return [
        config.RPC_URL === undefined && 'no node: RPC_URL is not set',
        indexed === null && 'no block is indexed yet',
        lag !== null && lag > MAX_LAG_BLOCKS && `the index is ${lag} blocks behind the node`,
        ingest?.progress().trouble,
      ].filter((reason) => typeof reason === 'string')
    },
    status: async () => {
      const { state, trouble } = await stored()
      const progress = ingest?.progress()
      const indexed = state?.head?.height ?? null
      return {
        version,
        pid: process.pid,
        node: process.version,
        uptimeS: Math.floor((Date.now() - startedMs) / 1000),
        chain: { shortName: config.CHAIN_SHORT_NAME, fullName: config.CHAIN_FULL_NAME, chainId: await chainId() },
        roles: config.ROLES,
        heights: {
          preconfirmed: null,
          latest: progress?.head ?? null,
          safe: state?.safe ?? null,
          finalized: state?.finalized ?? null,
          indexed,
        },
        lags: { indexedBlocks: lagOf(indexed), feedAgeMs: null },
        index: progress ?? null,
        database: { engine: database.engine, trouble },
      }
    },
  }
}

/** The id of a chain never changes: asked until it was answered once. */
const createChainId = (url: string | undefined): (() => Promise<number | null>) => {
  let known: number | undefined
  return async () => {
    if (url) {
      known ??= await askNode(url, 'eth_chainId').then(
        ({ result }) => Number(result),
        () => undefined,
      )
    }
    return known ?? null
  }
}
