// The results that subscriptions and filters get for a chain event: an empty list if the event is not for them.
import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { LogFilter } from '../../src/chain/rpc/log-filter.ts'
import type { RpcHeader, RpcLog, RpcTransaction } from '../../src/chain/rpc/types.ts'
import type { ChainEvent } from '../chain/chain.ts'
import { headerOf, logsOf, waitingTransaction } from './block-view.ts'

export function newHeads(event: ChainEvent): RpcHeader[] {
  return event.type === 'head' ? event.added.map(headerOf) : []
}

export function newBlockHashes(event: ChainEvent): Hex[] {
  return event.type === 'head' ? event.added.map(({ hash }) => hash) : []
}

/** Logs of blocks that a reorg removed come first, marked as removed. */
export function newLogs(criteria: LogFilter, event: ChainEvent): RpcLog[] {
  if (event.type !== 'head') return []
  const removed = event.removed.flatMap((block) => logsOf(block, criteria).map((log) => ({ ...log, removed: true })))
  return [...removed, ...event.added.flatMap((block) => logsOf(block, criteria))]
}

export function newPendingHashes(event: ChainEvent): Hex[] {
  return event.type === 'pendingTransaction' ? [event.recovered.hash] : []
}

export function newPendingTransactions(event: ChainEvent): RpcTransaction[] {
  return event.type === 'pendingTransaction' ? [waitingTransaction(event.recovered)] : []
}
