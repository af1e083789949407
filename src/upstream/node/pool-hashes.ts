// Hashes of the transactions that come into the pools of the nodes, as their WebSockets announce them. A node without a WebSocket, or
// without this subscription, announces nothing and is tried again at intervals.
import type { Hex } from '../../chain/bytes/hex.ts'
import { backoffMs, sleep, unlessAborted } from '../../lib/async/wait.ts'
import { UpstreamError } from './failures.ts'
import type { TransportLimits } from './json-rpc.ts'
import { RpcSocket } from './rpc-socket.ts'

export type PoolSource = { readonly urls: readonly string[]; readonly limits?: TransportLimits }

const LIMITS: TransportLimits = { timeoutMs: 10_000, maxBytes: 1_000_000 }
const FIRST_RECONNECT_MS = 500
const LONGEST_RECONNECT_MS = 60_000

/** Ends with the signal, never throws. Nodes announce the same transaction, so a hash may come more than once. */
export async function followPoolHashes(
  { urls, limits = LIMITS }: PoolSource,
  onHash: (hash: Hex) => void,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(urls.map((url) => listen(url.replace(/^http/, 'ws'), limits, onHash, signal)))
}

async function listen(
  url: string,
  limits: TransportLimits,
  onHash: (hash: Hex) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const socket = await RpcSocket.open(url, limits, signal)
      try {
        socket.onNotification = (message) => {
          const hash = hashIn(message)
          if (hash !== undefined) onHash(hash)
        }
        const [answer] = await socket.exchange(
          [{ method: 'eth_subscribe', params: ['newPendingTransactions'] }],
          signal,
        )
        if (answer?.type === 'result') {
          failures = 0
          await unlessAborted(socket.closed, signal)
        }
      } finally {
        socket.close()
      }
    } catch (error) {
      if (!(error instanceof UpstreamError) && !signal.aborted) throw error
    }
    const pauseMs = backoffMs(failures, { firstMs: FIRST_RECONNECT_MS, mostMs: LONGEST_RECONNECT_MS })
    await sleep(pauseMs, signal).catch(() => undefined)
  }
}

/** Some nodes send whole transactions. */
function hashIn(message: unknown): Hex | undefined {
  const result = (message as { params?: { result?: unknown } })?.params?.result
  const hash = typeof result === 'object' && result !== null && 'hash' in result ? result.hash : result
  return typeof hash === 'string' && HASH.test(hash) ? (hash.toLowerCase() as Hex) : undefined
}

const HASH = /^0x[0-9a-fA-F]{64}$/
