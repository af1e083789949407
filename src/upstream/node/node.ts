// The node of the chain, behind one or several URLs: asked within its limits, and believed only as far as its answers are consistent.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Log } from '../../lib/log.ts'
import { createBlockSource, streamBlocks } from './block-source.ts'
import { askAll } from './call-all.ts'
import { Endpoint, type NodeObserver } from './endpoint.ts'
import { BadAnswer, NodeUnavailable, PassingRefusal } from './failures.ts'
import { HeaderShapes } from './header-shapes.ts'
import { followHeads, type Head, headFrom } from './heads.ts'
import { type Answer, type RpcCall, RpcRefusal } from './json-rpc.ts'
import type { NodeBlock } from './node-block.ts'
import type { Pace } from './pace.ts'
import { attempt, type Pool } from './pool.ts'
import type { NodeProfile } from './profile.ts'

export type Node = {
  /** Who the node is and what it can do: asked once, then cached. */
  probe(signal?: AbortSignal): Promise<NodeProfile>
  head(signal?: AbortSignal): Promise<Head>
  /**
   * Every new head until the signal ends; of heads that come faster than they are taken only the newest. May go back, with a reorg or
   * to a URL that lags. Never throws.
   */
  heads(signal: AbortSignal): AsyncGenerator<Head>
  /** By height or hash; null where the node has none, or none on its chain. */
  block(at: number | Hex, signal?: AbortSignal): Promise<NodeBlock | null>
  /**
   * `from` to `to`, both included, in order, each the parent of the next, many in flight. Throws `BrokenChain` where a block is not
   * there or does not follow: the chain changed meanwhile.
   */
  blocks(range: { from: number; to: number }, signal?: AbortSignal): AsyncGenerator<NodeBlock>
  /** Heights of `safe` and `finalized`; null where the node has no such tag. */
  tagHeights(signal?: AbortSignal): Promise<{ readonly safe: number | null; readonly finalized: number | null }>
  /** One call: its result. Throws `RpcRefusal` where the node refuses for good. */
  call(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>
  /** Many calls, in as few requests as the node allows; answers in order, refusals among them. */
  batch(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly Answer[]>
  /** The same on behalf of a client, who gets the node's first answer: a refusal is not retried. */
  ask(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly Answer[]>
  status(): readonly EndpointStatus[]
  close(): void
}

export type EndpointStatus = {
  /** Without credentials. */
  readonly url: string
  /** Null until it answered. */
  readonly profile: NodeProfile | null
  readonly pace: Pace
  /** What went wrong last; null while all is well. */
  readonly trouble: string | null
}

/** Every wait ends: after `giveUpAfterMs` of nothing but failures everything but `heads` throws `NodeUnavailable`. */
export type NodeOptions = {
  /** In the order of preference; http(s) or ws(s). */
  readonly urls: readonly string[]
  readonly log: Log
  readonly observe?: NodeObserver
  /** For one exchange. */
  readonly timeoutMs?: number
  readonly giveUpAfterMs?: number
  /** Between two attempts, unless the node asked for more. */
  readonly longestPauseMs?: number
  /** Between looks at the head where no WebSocket announces it. */
  readonly pollMs?: number
  readonly maxResponseBytes?: number
  /** Senders recovered from signatures in each block of a range; of a single block all are. */
  readonly senderSample?: number
  /** For each URL. */
  readonly maxConcurrency?: number
  /** Calls in one exchange. */
  readonly maxBatch?: number
  /** Whether blocks come with their traces; by default they do. */
  readonly wantsTraces?: boolean
}

export function createNode(options: NodeOptions): Node {
  const { urls, log, observe = () => {}, giveUpAfterMs = 120_000, longestPauseMs = 5_000, pollMs = 1_000 } = options
  const limits = {
    timeoutMs: options.timeoutMs ?? 10_000,
    maxBytes: options.maxResponseBytes ?? 128 * 2 ** 20,
    maxConcurrency: options.maxConcurrency ?? 8,
    maxBatch: options.maxBatch ?? 100,
    wantsTraces: options.wantsTraces ?? true,
    longestPauseMs,
  }
  const endpoints = urls.map((url) => new Endpoint(url, limits, observe))
  const pool: Pool = { endpoints, log, giveUpAfterMs, longestPauseMs, chainId: null }
  const source = createBlockSource({ pool, shapes: new HeaderShapes(log), senderSample: options.senderSample ?? 1 })
  const closing = new AbortController()
  const until = (signal?: AbortSignal): AbortSignal =>
    signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])

  /** Null where the node says that there is none. */
  const headAt = (method: string, at: string, signal: AbortSignal): Promise<Head | null> =>
    attempt(pool, signal, async (endpoint) => {
      const [answer] = await endpoint.exchange([{ method, params: [at, false] }], signal)
      if (answer?.type === 'result') return answer.result === null ? null : headFrom(answer.result)
      // Nodes without a safe or finalized block refuse to speak of it.
      if (at === 'safe' || at === 'finalized') return null
      throw new PassingRefusal(`${method}: ${answer!.message}`)
    })

  /** With the chain id, so that a URL behind which another chain appeared is never followed. */
  const head = (signal: AbortSignal): Promise<Head> =>
    attempt(pool, signal, async (endpoint) => {
      const calls = [
        { method: 'eth_chainId', params: [] },
        { method: 'eth_getBlockByNumber', params: ['latest', false] },
      ]
      const [id, latest] = await endpoint.exchange(calls, signal)
      if (id?.type === 'result' && Number(id.result) !== pool.chainId) {
        throw new BadAnswer(`${endpoint.name} is of chain ${Number(id.result)} now, not ${pool.chainId}`)
      }
      if (latest?.type === 'refused') throw new PassingRefusal(`eth_getBlockByNumber: ${latest.message}`)
      if (latest!.result === null) throw new NodeUnavailable('the node has no head')
      return headFrom(latest!.result)
    })

  const heightOf = async (tag: 'safe' | 'finalized', signal: AbortSignal): Promise<number | null> =>
    (await headAt('eth_getBlockByNumber', tag, signal))?.height ?? null

  return {
    probe: (signal) => attempt(pool, until(signal), (endpoint) => endpoint.profile(until(signal))),
    head: (signal) => head(until(signal)),
    heads: (signal) => followHeads({ urls, limits, pollMs, log, head }, until(signal)),
    async block(at, signal) {
      if (typeof at === 'number') return source.one(at, until(signal))
      const head = await headAt('eth_getBlockByHash', at, until(signal))
      const block = head === null ? null : await source.one(head.height, until(signal))
      return block?.hash === at ? block : null
    },
    blocks: (range, signal) => streamBlocks(source, range, until(signal)),
    async tagHeights(signal) {
      const [safe, finalized] = await Promise.all([
        heightOf('safe', until(signal)),
        heightOf('finalized', until(signal)),
      ])
      return { safe, finalized }
    },
    async call(method, params, signal) {
      const [answer] = await askAll(pool, [{ method, params }], until(signal))
      if (answer?.type === 'result') return answer.result
      throw new RpcRefusal(method, answer!)
    },
    batch: (calls, signal) => askAll(pool, calls, until(signal)),
    ask: (calls, signal) => attempt(pool, until(signal), (endpoint) => endpoint.exchange(calls, until(signal))),
    status: () =>
      endpoints.map(({ name, knownProfile, pace, trouble }) => ({ url: name, profile: knownProfile, pace, trouble })),
    close() {
      closing.abort()
      for (const endpoint of endpoints) endpoint.close()
    },
  }
}
