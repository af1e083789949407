// The Flashblocks feed: a client gets every message from the next one on, as WebSocket text frames.
import type { WebSocket } from 'ws'
import type { DevnetChain } from '../chain/chain.ts'
import { keepAlive, sendBounded } from './socket-limits.ts'

export type Feed = { add(client: WebSocket): void; stop(): void }

export function createFeed(chain: DevnetChain): Feed {
  const clients = new Set<WebSocket>()
  const stop = chain.on((event) => {
    if (event.type !== 'flashblock' || clients.size === 0) return
    const text = JSON.stringify(event.message)
    for (const client of clients) sendBounded(client, text)
  })
  return {
    add(client) {
      keepAlive(client)
      clients.add(client)
      client.on('close', () => clients.delete(client))
    },
    stop,
  }
}
