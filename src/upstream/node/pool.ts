// Several URLs of one node. The best one that works is asked; after a failure the next attempt goes to another URL, if there is one.

import { backoffMs, sleep } from '../../lib/async/wait.ts'
import type { Log } from '../../lib/log.ts'
import type { Endpoint } from './endpoint.ts'
import { BadAnswer, NodeUnavailable, UpstreamError } from './failures.ts'

export type Pool = {
  readonly endpoints: readonly Endpoint[]
  readonly log: Log
  /** How long nothing but failures is tolerated. */
  readonly giveUpAfterMs: number
  readonly longestPauseMs: number
  /** Of the first URL that answered; another one with another id is of another chain. */
  chainId: number | null
}

/** `work` may store part of the answers and throw for the rest; calling `progressed` starts the timeout again. */
export async function attempt<T>(
  pool: Pool,
  signal: AbortSignal,
  work: (endpoint: Endpoint, progressed: () => void) => Promise<T>,
): Promise<T> {
  let giveUpMs = performance.now() + pool.giveUpAfterMs
  let failed: Endpoint | undefined
  for (let failures = 0; ; failures++) {
    const endpoint = choose(pool, failed)
    await sleep(pauseMs(pool, endpoint, failures), signal)
    try {
      await makeSure(pool, endpoint, signal)
      const result = await work(endpoint, () => {
        endpoint.praise()
        giveUpMs = performance.now() + pool.giveUpAfterMs
        failures = 0
      })
      endpoint.praise()
      return result
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof UpstreamError)) throw error
      const level = endpoint.blame(error) ? 'warn' : 'debug'
      pool.log[level]({ node: endpoint.name, reason: error.message }, 'the node is asked again in a while')
      if (performance.now() > giveUpMs) {
        throw new NodeUnavailable(`the node does not answer: ${error.message}`, { cause: error })
      }
      failed = endpoint
    }
  }
}

/** In the order they were given, but those at rest last, the one that just failed behind its peers, and without traces behind with. */
export function choose({ endpoints }: Pool, failed?: Endpoint): Endpoint {
  const demerits = (endpoint: Endpoint): number =>
    (endpoint.restMs > 0 ? 4 : 0) +
    (endpoint === failed ? 2 : 0) +
    (endpoint.knownProfile !== null && endpoint.knownProfile.traces.method === null ? 1 : 0)
  return endpoints.reduce((best, each) => (demerits(each) < demerits(best) ? each : best))
}

/** A fresh URL is tried at once, the same one again after a while. */
function pauseMs({ endpoints, longestPauseMs }: Pool, endpoint: Endpoint, failures: number): number {
  const rounds = Math.floor(failures / endpoints.length)
  return Math.max(
    endpoint.restMs,
    failures === 0 || rounds === 0 ? 0 : backoffMs(rounds - 1, { mostMs: longestPauseMs }),
  )
}

async function makeSure(pool: Pool, endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  if (endpoint.knownProfile !== null && endpoint.knownProfile.chainId === pool.chainId) return
  const { chainId } = await endpoint.profile(signal)
  pool.chainId ??= chainId
  if (chainId !== pool.chainId) throw new BadAnswer(`${endpoint.name} is of chain ${chainId}, not ${pool.chainId}`)
}
