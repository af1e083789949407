// `eth_subscribe`: which connection wants which subscriber events. The JSON of an event is built once for all its subscribers.
import { randomUUID } from 'node:crypto'
import { type LogFilter, matchesRpcLog } from '../../chain/rpc/log-filter.ts'
import type { RpcLog, RpcTransaction } from '../../chain/rpc/types.ts'
import type { SubscriptionKind } from '../../contract/rpc-further.ts'
import { limitExceeded } from '../../lib/json/json-rpc.ts'
import type { RpcConnection } from '../state/scope.ts'

export type SubscriberEvent =
  /** `text` is JSON. */
  | { readonly kind: 'newHeads' | 'newFlashblocks'; readonly text: string }
  | { readonly kind: 'newFlashblockTransactions'; readonly transactions: readonly NewTransaction[] }
  | { readonly kind: 'logs' | 'pendingLogs'; readonly logs: readonly RpcLog[] }

/** A transaction together with the fields of its receipt. */
export type NewTransaction = RpcTransaction & Readonly<Record<string, unknown>>

export type Subscription = {
  readonly kind: SubscriptionKind
  readonly criteria: LogFilter
  /** Whole transactions rather than hashes. */
  readonly full: boolean
}

export type Subscriptions = {
  add(connection: RpcConnection, subscription: Subscription): string
  /** False if the connection has no such subscription. */
  remove(connection: RpcConnection, id: string): boolean
  /** Whether anybody is subscribed to events of this kind. */
  wants(kind: SubscriptionKind): boolean
  publish(event: SubscriberEvent): void
}

export function createSubscriptions(maxPerConnection: number): Subscriptions {
  const connections = new Map<RpcConnection, Map<string, Subscription>>()

  const send = (connection: RpcConnection, id: string, results: readonly string[]): boolean =>
    results.every((result) =>
      connection.send(
        `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${result}}}`,
      ),
    )

  return {
    add(connection, subscription) {
      const id = `0x${randomUUID().replaceAll('-', '')}`
      // The connection may have ended while its request waited. Its signal does not fire a second time.
      if (connection.closed.aborted) return id
      const known = connections.get(connection)
      const own = known ?? new Map<string, Subscription>()
      if (own.size >= maxPerConnection) {
        throw limitExceeded(`more than ${maxPerConnection} subscriptions on a connection`)
      }
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
    publish(event) {
      const resultsFor = resultsOf(event)
      for (const [connection, own] of connections) {
        for (const [id, subscription] of own) {
          if (subscription.kind !== event.kind) continue
          // A client that missed one event would not know of the gap, so it gets no more of them.
          if (!send(connection, id, resultsFor(subscription))) connections.delete(connection)
        }
      }
    },
  }
}

/** The results that a subscription is sent for an event, as JSON. */
function resultsOf(event: SubscriberEvent): (subscription: Subscription) => readonly string[] {
  switch (event.kind) {
    case 'newHeads':
    case 'newFlashblocks': {
      const results = [event.text]
      return () => results
    }
    case 'newFlashblockTransactions': {
      const whole = event.transactions.map((transaction) => JSON.stringify(transaction))
      const hashes = event.transactions.map(({ hash }) => `"${hash}"`)
      return ({ full }) => (full ? whole : hashes)
    }
    case 'logs':
    case 'pendingLogs': {
      const results = event.logs.map((log) => JSON.stringify(log))
      return ({ criteria }) => results.filter((_, index) => matchesRpcLog(criteria, event.logs[index]!))
    }
  }
}
