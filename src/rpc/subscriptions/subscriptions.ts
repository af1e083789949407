// `eth_subscribe`: which connection wants which subscriber events. The JSON of an event is encoded once for all its subscribers, and its
// bytes are charged to each of them.
import { randomUUID } from 'node:crypto'
import type { Hex } from '../../chain/bytes/hex.ts'
import { type LogFilter, matchesRpcLog } from '../../chain/rpc/log-filter.ts'
import type { RpcLog, RpcTransaction } from '../../chain/rpc/types.ts'
import type { SubscriptionKind } from '../../contract/rpc-further.ts'
import { limitExceeded } from '../../lib/json/json-rpc.ts'
import { UNITS_PER_BYTE, type WorkBalances } from '../state/client-work.ts'
import type { EventText, RpcConnection } from '../state/scope.ts'
import { type FlashblocksFilter, type StreamEvent, streamResults } from './flashblock-stream.ts'

export type SubscriberEvent =
  /** `text` is JSON. */
  | { readonly kind: 'newHeads' | 'newFlashblocks'; readonly text: string }
  | { readonly kind: 'newFlashblockTransactions'; readonly transactions: readonly NewTransaction[] }
  | { readonly kind: 'logs' | 'pendingLogs'; readonly logs: readonly RpcLog[] }
  | { readonly kind: 'newPendingTransactions'; readonly transactions: readonly AnnouncedTransaction[] }
  | StreamEvent

/** `transaction` is undefined where only the hash is known; who wants whole transactions does not get it. */
export type AnnouncedTransaction = { readonly hash: Hex; readonly transaction: unknown }

/** A transaction together with the fields of its receipt. */
export type NewTransaction = RpcTransaction & Readonly<Record<string, unknown>>

export type Subscription = {
  readonly kind: SubscriptionKind
  readonly criteria: LogFilter
  /** Whole transactions rather than hashes. */
  readonly full: boolean
  /** Of `flashblocks`. */
  readonly stream?: FlashblocksFilter
}

/** Subscriptions with the same key want the same logs. */
type KnownSubscription = Subscription & { readonly criteriaKey: string }

export type Subscriptions = {
  add(connection: RpcConnection, subscription: Subscription): string
  /** False if the connection has no such subscription. */
  remove(connection: RpcConnection, id: string): boolean
  /** Results go to the function instead of a connection, until the returned function is called. */
  collect(subscription: Subscription, take: (results: readonly EventText[]) => void): () => void
  /** Whether anybody is subscribed to events of this kind. */
  wants(kind: SubscriptionKind): boolean
  /** Whether anybody wants whole transactions of this kind. */
  wantsWhole(kind: SubscriptionKind): boolean
  publish(event: SubscriberEvent): void
}

/** What surrounds a result in the message to a subscriber. */
const MESSAGE_BYTES = 120

export function createSubscriptions(maxPerConnection: number, balances: WorkBalances): Subscriptions {
  const connections = new Map<RpcConnection, Map<string, KnownSubscription>>()
  const collectors = new Set<Collector>()
  const isAny = (matches: (subscription: Subscription) => boolean): boolean =>
    connections.values().some((own) => own.values().some(matches)) ||
    collectors.values().some(({ subscription }) => matches(subscription))

  /** Ids that get the same results are pushed together. A client that cannot pay for an event gets no more of them, or it would not know of the gap. */
  const push = (connection: RpcConnection, ids: readonly string[], results: readonly EventText[]): void => {
    const bytes = results.reduce((sum, { length }) => sum + length + MESSAGE_BYTES, 0) * ids.length
    const balance = balances.of(connection.client)
    balance.charge(bytes * UNITS_PER_BYTE)
    connection.push(ids, results)
    if (!balance.isSpent()) return
    connections.delete(connection)
    connection.end('work balance spent')
  }

  return {
    add(connection, subscription) {
      const id = `0x${randomUUID().replaceAll('-', '')}`
      // The connection may have ended while its request waited. Its signal does not fire a second time.
      if (connection.closed.aborted) return id
      const known = connections.get(connection)
      const own = known ?? new Map<string, KnownSubscription>()
      if (own.size >= maxPerConnection) {
        throw limitExceeded(`more than ${maxPerConnection} subscriptions on a connection`)
      }
      if (known === undefined) {
        connections.set(connection, own)
        connection.closed.addEventListener('abort', () => connections.delete(connection), { once: true })
      }
      own.set(id, knownOf(subscription))
      return id
    },
    remove: (connection, id) => connections.get(connection)?.delete(id) ?? false,
    collect(subscription, take) {
      const collector = { subscription: knownOf(subscription), take }
      collectors.add(collector)
      return () => collectors.delete(collector)
    },
    wants: (kind) => isAny((subscription) => subscription.kind === kind),
    wantsWhole: (kind) => isAny((subscription) => subscription.kind === kind && subscription.full),
    publish(event) {
      const resultsFor = resultsOf(event)
      for (const [connection, own] of connections) {
        const idsOf = new Map<readonly EventText[], string[]>()
        for (const [id, subscription] of own) {
          if (subscription.kind !== event.kind) continue
          const results = resultsFor(subscription)
          const ids = idsOf.get(results)
          if (ids) ids.push(id)
          else if (results.length > 0) idsOf.set(results, [id])
        }
        for (const [results, ids] of idsOf) {
          if (connections.has(connection)) push(connection, ids, results)
        }
      }
      for (const { subscription, take } of collectors) {
        if (subscription.kind === event.kind) take(resultsFor(subscription))
      }
    },
  }
}

type Collector = { readonly subscription: KnownSubscription; take(results: readonly EventText[]): void }

/** The results that a subscription is sent for an event. Subscriptions that want the same get the same array. */
function resultsOf(event: SubscriberEvent): (subscription: KnownSubscription) => readonly EventText[] {
  switch (event.kind) {
    case 'newHeads':
    case 'newFlashblocks': {
      const results = [utf8.encode(event.text)]
      return () => results
    }
    case 'newFlashblockTransactions':
      return hashesOrWhole(event.transactions.map((transaction) => ({ hash: transaction.hash, transaction })))
    case 'newPendingTransactions':
      return hashesOrWhole(event.transactions)
    case 'flashblocks': {
      const byFilter = new Map<FlashblocksFilter, readonly EventText[]>()
      return ({ stream }) => {
        const known = stream && byFilter.get(stream)
        if (known || !stream) return known ?? []
        const results = streamResults(event, stream).map((text) => utf8.encode(text))
        byFilter.set(stream, results)
        return results
      }
    }
    case 'logs':
    case 'pendingLogs': {
      const encoded = event.logs.map((log) => utf8.encode(JSON.stringify(log)))
      const byCriteria = new Map<string, readonly EventText[]>()
      return ({ criteria, criteriaKey }) => {
        const known = byCriteria.get(criteriaKey)
        if (known) return known
        const results = encoded.filter((_, index) => matchesRpcLog(criteria, event.logs[index]!))
        byCriteria.set(criteriaKey, results)
        return results
      }
    }
  }
}

/** One whose body is not known is left out for who wants whole transactions. */
function hashesOrWhole(transactions: readonly AnnouncedTransaction[]) {
  const results = new Map<boolean, readonly EventText[]>()
  return ({ full }: Subscription): readonly EventText[] => {
    const known = results.get(full)
    if (known) return known
    const shown = transactions.map(({ hash, transaction }) => (full ? transaction : hash))
    const encoded = shown.filter((each) => each !== undefined).map((each) => utf8.encode(JSON.stringify(each)))
    results.set(full, encoded)
    return encoded
  }
}

function knownOf(subscription: Subscription): KnownSubscription {
  return { ...subscription, criteriaKey: keyOf(subscription.criteria) }
}

function keyOf({ addresses, topics }: LogFilter): string {
  return [addresses, ...topics].map((words) => (words === null ? '' : [...words].join())).join(';')
}

const utf8 = new TextEncoder()
