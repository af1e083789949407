// What the worker of the pending chain and its parent send each other.
import type { LedgerEvent } from '../../preconfirmations/ledger.ts'
import type { OutgoingText } from '../../relay/outgoing-flashblock.ts'
import type { EventText } from '../state/scope.ts'
import type { PendingServiceOptions } from './pending-service.ts'
import type { RpcAnswer } from './server.ts'
import type { PendingStatus } from './status.ts'

export type PendingWorker = {
  readonly input: PendingServiceOptions
  readonly ready: undefined
  readonly toWorker: ClientRequests
  readonly fromWorker:
    | { readonly type: 'toClients'; readonly messages: readonly ToClient[] }
    | { readonly type: 'flashblock'; readonly flashblock: OutgoingText }
    | { readonly type: 'processed'; readonly ms: number }
    | { readonly type: 'ledger'; readonly events: readonly LedgerEvent[] }
    | { readonly type: 'status'; readonly status: PendingStatus | null }
}

export type ClientRequests =
  | { readonly type: 'requests'; readonly requests: readonly WorkerRequest[] }
  | { readonly type: 'connect'; readonly connection: number; readonly client: string }
  | { readonly type: 'close'; readonly connection: number }
  /** Nobody waits for the answer to this request any more. */
  | { readonly type: 'gone'; readonly id: number }
  /** The bytes of subscriber events that were passed on to the sockets. */
  | { readonly type: 'passed'; readonly bytes: number }

/** `from` is the number of a connection, or the name of a client over HTTP. */
export type WorkerRequest = readonly [id: number, text: string, from: number | string]

/** Answers and subscriber events share one list, in order: an event must not overtake the answer with its subscription's id. */
export type ToClient =
  | readonly [type: 'answer', id: number, answer: RpcAnswer]
  | readonly [type: 'push', connection: number, ids: readonly string[], results: readonly EventText[]]
  | readonly [type: 'end', connection: number, reason: string]

/**
 * Sends all items of one event loop round to the other thread in one message, in order: waking a thread costs more than most answers do.
 */
export function createOutbox<T>(send: (items: readonly T[]) => void): (item: T) => void {
  let items: T[] = []
  const flush = (): void => {
    const sent = items
    items = []
    send(sent)
  }
  return (item) => {
    if (items.length === 0) setImmediate(flush)
    items.push(item)
  }
}
