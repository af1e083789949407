// One URL of the node that is looked at again and again: whether it answers, of which chain, with which head, and what it can do.
import type { Hex } from '../../chain/bytes/hex.ts'
import { withoutCredentials } from '../../lib/log.ts'
import { createHttpTransport } from './http-transport.ts'
import type { RpcCall } from './json-rpc.ts'
import { RpcRefusal } from './json-rpc.ts'
import { healthAfterAnswer, healthAfterFailure, type NodeHealth, startingHealth } from './node-health.ts'
import { type NodeProfile, probeProfile } from './profile.ts'
import { createSocketTransport } from './rpc-socket.ts'

export type WatchedNode = {
  /** Without credentials. */
  readonly name: string
  readonly health: () => NodeHealth
  /** What it says that it is; null until it has said so. */
  readonly client: () => string | null
  /** Null until it was probed. */
  readonly profile: () => NodeProfile | null
  look(signal: AbortSignal): Promise<void>
  /** After the last probe has ended. */
  close(): Promise<void>
}

const LIMITS = { timeoutMs: 3_000, maxBytes: 10_000_000 }
/** A node that is replaced while nobody looks, or behind a balancer, is seen by its name. */
const ASK_CLIENT_EVERY_MS = 10_000
/** How much state a node has can change without a word: it prunes, or has fetched more. */
const PROBE_EVERY_MS = 600_000
const NEVER = Number.NEGATIVE_INFINITY
/** A head is old by the times of so many blocks below it. */
const BLOCKS_DATED = 5

/** `onClient` gets every client that appears at the URL. */
export function watchedNode(url: string, onClient: (client: string) => void): WatchedNode {
  const transport = url.startsWith('ws') ? createSocketTransport(url, LIMITS) : createHttpTransport(url, LIMITS)
  let health = startingHealth(performance.now())
  let client: string | null = null
  let profile: NodeProfile | null = null
  let askedClientMs = NEVER
  let probedMs = NEVER
  let probing: Promise<void> | undefined

  // Not every node knows batches, so each question goes alone.
  const exchange = async (calls: readonly RpcCall[], signal: AbortSignal) =>
    (await Promise.all(calls.map((call) => transport.exchange([call], signal)))).flat()
  const ask = async (method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> => {
    const [answer] = await exchange([{ method, params }], signal)
    if (answer!.type === 'result') return answer!.result
    throw new RpcRefusal(method, answer!)
  }
  const blockAt = async (height: number, signal: AbortSignal) => {
    const at = `0x${height.toString(16)}`
    return (await ask('eth_getBlockByNumber', [at, false], signal).catch(() => null)) as Block | null
  }

  const blockTimesMs = async (head: number, signal: AbortSignal): Promise<number[]> => {
    const heights = Array.from({ length: Math.min(head, BLOCKS_DATED) + 1 }, (_, i) => head - i).reverse()
    const blocks = await Promise.all(heights.map((height) => blockAt(height, signal)))
    // By the clock that measures durations: the one of the machine may jump later.
    const wallAheadMs = Date.now() - performance.now()
    const timesMs = blocks.map((block) => Number(block?.timestamp) * 1_000 - wallAheadMs)
    return timesMs.every(Number.isFinite) ? timesMs : []
  }

  /** In the background: a node that takes long for it still answers the other questions. */
  const probe = (signal: AbortSignal): void => {
    probing ??= probeProfile((calls) => exchange(calls, signal), { wantsTraces: true })
      .then(
        (found) => {
          profile = found
          probedMs = performance.now()
        },
        // It is probed again at the next look.
        () => undefined,
      )
      .finally(() => {
        probing = undefined
      })
  }

  const askClient = async (signal: AbortSignal): Promise<void> => {
    const found = await ask('web3_clientVersion', [], signal).catch(() => null)
    askedClientMs = performance.now()
    if (typeof found !== 'string' || found === client) return
    client = found
    probedMs = NEVER
    onClient(found)
  }

  return {
    name: withoutCredentials(url),
    health: () => health,
    client: () => client,
    profile: () => profile,
    async look(signal) {
      const isFirst = health.answeredMs === null
      const isBack = health.failure !== null
      try {
        const chainId = Number(await ask('eth_chainId', [], signal))
        const height = Number(await ask('eth_blockNumber', [], signal))
        const genesisHash = (await blockAt(0, signal))?.hash ?? null
        const dated = isFirst && { blockTimesMs: await blockTimesMs(height, signal) }
        health = healthAfterAnswer(health, { chainId, height, genesisHash, ...dated }, performance.now())
        // What comes back after silence may be another node.
        if (isBack) [askedClientMs, probedMs] = [NEVER, NEVER]
        if (performance.now() - askedClientMs > ASK_CLIENT_EVERY_MS) await askClient(signal)
        if (performance.now() - probedMs > PROBE_EVERY_MS) probe(signal)
      } catch (error) {
        if (!signal.aborted) health = healthAfterFailure(health, (error as Error).message)
      }
    },
    async close() {
      transport.close()
      await probing
    },
  }
}

type Block = { readonly hash?: Hex; readonly timestamp?: string }
