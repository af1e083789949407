// eth_subscribe and eth_unsubscribe, where the client can be told something unasked.
import { ANY_LOG, logFilterFrom } from '../../chain/rpc/log-filter.ts'
import type { RpcHandlers } from '../server/dispatch.ts'
import { onlyOverWebSocket } from '../state/failures.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'

export function subscriptionMethods(
  subscriptions: Subscriptions,
): Pick<RpcHandlers, 'eth_subscribe' | 'eth_unsubscribe'> {
  return {
    eth_subscribe({ connection }, [kind, filter]) {
      if (connection === undefined) throw onlyOverWebSocket()
      const criteria = typeof filter === 'object' && filter !== null ? logFilterFrom(filter) : ANY_LOG
      return subscriptions.add(connection, { kind, criteria, full: filter === true })
    },
    eth_unsubscribe({ connection }, [id]) {
      if (connection === undefined) throw onlyOverWebSocket()
      return subscriptions.remove(connection, id)
    },
  }
}
