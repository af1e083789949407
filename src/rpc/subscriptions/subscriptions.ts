// `eth_subscribe`: who wants to be told of what, over which connection. The news are made once for all who want their kind.
import { randomUUID } from 'node:crypto'
import { type LogFilter, matchesRpcLog } from '../../chain/rpc/log-filter.ts'
import type { SubscriptionKind } from '../../contract/rpc-further.ts'
import type { RpcConnection } from '../server/server.ts'
import { overLimit } from '../state/failures.ts'
import type { SubscriberEvent } from './flashblock-events.ts'

export type Subscription = {
  readonly kind: SubscriptionKind
  readonly criteria: LogFilter
  /** Whole transactions rather than hashes. */
  readonly full: boolean
}

export type Subscriptions = {
  add(connection: RpcConnection, subscription: Subscription): string
  /** False where the connection has no such subscription. */
  remove(connection: RpcConnection, id: string): boolean
  wants(kind: SubscriptionKind): boolean
  publish(news: SubscriberEvent): void
}

export function createSubscriptions(maxPerConnection: number): Subscriptions {
  const connections = new Map<RpcConnection, Map<string, Subscription>>()

  const tellOne = (connection: RpcConnection, id: string, results: readonly string[]): boolean =>
    results.every((result) =>
      connection.send(
        `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${result}}}`,
      ),
    )

  return {
    add(connection, subscription) {
      const id = `0x${randomUUID().replaceAll('-', '')}`
      // It ended while its request waited for its turn, and will not say so again.
      if (connection.closed.aborted) return id
      const known = connections.get(connection)
      const own = known ?? new Map<string, Subscription>()
      if (own.size >= maxPerConnection) throw overLimit(`more than ${maxPerConnection} subscriptions on a connection`)
      if (known === undefined) {
        connections.set(connection, own)
        connection.closed.addEventListener('abort', () => connections.delete(connection), { once: true })
      }
      own.set(id, subscription)
      return id
    },
    remove: (connection, id) => connections.get(connection)?.delete(id) ?? false,
    wants: (kind) =>
      connections.values().some((own) => own.values().some((subscription) => subscription.kind === kind)),
    publish(news) {
      const texts = textsOf(news)
      for (const [connection, own] of connections) {
        for (const [id, subscription] of own) {
          if (subscription.kind !== news.kind) continue
          // A client that does not keep up would find a hole in what it is told.
          if (!tellOne(connection, id, texts(subscription))) connections.delete(connection)
        }
      }
    },
  }
}

/** What a subscription is told, written once. */
function textsOf(news: SubscriberEvent): (subscription: Subscription) => readonly string[] {
  switch (news.kind) {
    case 'newHeads':
    case 'newFlashblocks': {
      const texts = [news.text]
      return () => texts
    }
    case 'newFlashblockTransactions': {
      const whole = news.transactions.map((transaction) => JSON.stringify(transaction))
      const hashes = news.transactions.map(({ hash }) => `"${hash}"`)
      return ({ full }) => (full ? whole : hashes)
    }
    case 'logs':
    case 'pendingLogs': {
      const texts = news.logs.map((log) => JSON.stringify(log))
      return ({ criteria }) => texts.filter((_, at) => matchesRpcLog(criteria, news.logs[at]!))
    }
  }
}
