// New heads. The node is asked for its head when its WebSocket announces one, and at intervals in any case; only the answer counts.
import type { Hex } from '../../chain/bytes/hex.ts'
import { headTimeMs } from '../../chain/rpc/block-time.ts'
import { asObject, hashOf, numberOf } from '../../chain/rpc/fields.ts'
import { backoffMs, createWakeSignal, sleep, unlessAborted, type WakeSignal } from '../../lib/async/wait.ts'
import type { Log } from '../../lib/log.ts'
import { readable } from './check-block.ts'
import { NodeUnavailable, UpstreamError } from './failures.ts'
import type { TransportLimits } from './json-rpc.ts'
import { RpcSocket } from './rpc-socket.ts'

export type Head = {
  readonly height: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestampMs: number
}

export function headFrom(value: unknown): Head {
  return readable(() => {
    const raw = asObject(value, 'block')
    return {
      height: numberOf(raw, 'number'),
      hash: hashOf(raw, 'hash'),
      parentHash: hashOf(raw, 'parentHash'),
      timestampMs: headTimeMs(raw) ?? numberOf(raw, 'timestamp') * 1000,
    }
  })
}

export type HeadSource = {
  readonly urls: readonly string[]
  readonly limits: TransportLimits
  readonly pollMs: number
  readonly log: Log
  head(signal: AbortSignal): Promise<Head>
}

/** Ends with the signal, never throws. */
export async function* followHeads(source: HeadSource, signal: AbortSignal): AsyncGenerator<Head> {
  const wakeSignal = createWakeSignal()
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  const listening = new Set<string>()
  for (const url of source.urls) void listen({ url, source, wakeSignal, listening, signal: either })
  let last: Head | undefined
  let blockMs: number | undefined
  let askedMs = performance.now()
  try {
    while (!signal.aborted) {
      const sinceMs = askedMs
      askedMs = performance.now()
      const head = await headOrNothing(source, signal)
      if (head !== undefined && head.hash !== last?.hash) {
        const blocks = head.height - (last?.height ?? head.height)
        if (blocks > 0) blockMs = (askedMs - sinceMs) / blocks
        yield head
        last = head
      }
      const pollMs = listening.size > 0 ? source.pollMs * QUIET_POLLS : pollMsAt(blockMs, source.pollMs)
      await wakeSignal.wait(pollMs, signal)
    }
  } finally {
    ending.abort()
  }
}

/** Where nobody announces heads, the node is asked about as often as it makes blocks: a chain may make several in a second. */
function pollMsAt(blockMs: number | undefined, longestMs: number): number {
  return Math.min(longestMs, Math.max(SHORTEST_POLL_MS, blockMs ?? longestMs))
}

async function headOrNothing(source: HeadSource, signal: AbortSignal): Promise<Head | undefined> {
  try {
    return await source.head(signal)
  } catch (error) {
    if (signal.aborted) return undefined
    if (!(error instanceof NodeUnavailable)) throw error
    source.log.warn({ reason: error.message }, 'the head of the chain is not known')
    return undefined
  }
}

type Listener = { url: string; source: HeadSource; wakeSignal: WakeSignal; listening: Set<string>; signal: AbortSignal }

/** Wakes the reader with every head that the node announces. Nodes without WebSockets are tried again at intervals. */
async function listen({ url, source, wakeSignal, listening, signal }: Listener): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const socket = await RpcSocket.open(url.replace(/^http/, 'ws'), source.limits, signal)
      try {
        socket.onNotification = wakeSignal.wake
        const [answer] = await socket.exchange([{ method: 'eth_subscribe', params: ['newHeads'] }], signal)
        if (answer?.type === 'result') {
          listening.add(url)
          failures = 0
          await unlessAborted(socket.closed, signal)
        }
      } finally {
        listening.delete(url)
        socket.close()
      }
    } catch (error) {
      if (!(error instanceof UpstreamError) && !signal.aborted) throw error
    }
    const pauseMs = backoffMs(failures, { firstMs: FIRST_RECONNECT_MS, mostMs: LONGEST_RECONNECT_MS })
    await sleep(pauseMs, signal).catch(() => undefined)
  }
}

/** While a WebSocket announces heads, polling is only a safety net. */
const QUIET_POLLS = 5
const SHORTEST_POLL_MS = 100
const FIRST_RECONNECT_MS = 250
const LONGEST_RECONNECT_MS = 60_000
