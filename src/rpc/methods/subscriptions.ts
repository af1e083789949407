// eth_subscribe and eth_unsubscribe, over a WebSocket only.
import { ANY_LOG, logFilterFrom } from '../../chain/rpc/log-filter.ts'
import { JsonRpcError } from '../../lib/json/json-rpc.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'
import type { RpcHandlers } from './handlers.ts'

export function subscriptionMethods(
  subscriptions: Subscriptions,
): Pick<RpcHandlers, 'eth_subscribe' | 'eth_unsubscribe'> {
  return {
    // Not async: the answer with the subscription's id must be sent before its first event.
    eth_subscribe({ connection }, [kind, filter]) {
      if (connection === undefined) throw notSupported()
      const criteria = typeof filter === 'object' && filter !== null ? logFilterFrom(filter) : ANY_LOG
      return subscriptions.add(connection, { kind, criteria, full: filter === true })
    },
    eth_unsubscribe({ connection }, [id]) {
      if (connection === undefined) throw notSupported()
      return subscriptions.remove(connection, id)
    },
  }
}

const NOT_SUPPORTED = -32001

/** geth's words, which clients compare. */
function notSupported(): JsonRpcError {
  return new JsonRpcError(NOT_SUPPORTED, 'notifications not supported')
}
