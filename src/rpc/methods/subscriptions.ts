// eth_subscribe and eth_unsubscribe, over a WebSocket only.
import { ANY_LOG, logFilterFrom } from '../../chain/rpc/log-filter.ts'
import { flashblocksFilter } from '../../contract/rpc-further.ts'
import { invalidParams } from '../../evm/call/call-failures.ts'
import { JsonRpcError } from '../../lib/json/json-rpc.ts'
import type { FlashblocksFilter } from '../subscriptions/flashblock-stream.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'
import type { RpcHandlers } from './handlers.ts'

export function subscriptionMethods(
  subscriptions: Subscriptions,
): Pick<RpcHandlers, 'eth_subscribe' | 'eth_unsubscribe'> {
  return {
    // Not async: the answer with the subscription's id must be sent before its first event.
    eth_subscribe({ connection }, [kind, filter], raw) {
      if (connection === undefined) throw notSupported()
      if (kind === 'flashblocks') {
        return subscriptions.add(connection, { kind, criteria: ANY_LOG, full: false, stream: streamFilter(raw[1]) })
      }
      const isCriteria = typeof filter === 'object' && filter !== null && !('headerInfo' in filter)
      const criteria = isCriteria ? logFilterFrom(filter) : ANY_LOG
      return subscriptions.add(connection, { kind, criteria, full: filter === true })
    },
    eth_unsubscribe({ connection }, [id]) {
      if (connection === undefined) throw notSupported()
      return subscriptions.remove(connection, id)
    },
  }
}

/** The words of xlayer-reth. */
function streamFilter(raw: unknown): FlashblocksFilter {
  if (raw === undefined || raw === null) {
    throw invalidParams('flashblocks subscription requires filter params, no params specified')
  }
  const parsed = flashblocksFilter.safeParse(raw)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw invalidParams(['invalid params for flashblocks:', path.join('.'), message].filter(Boolean).join(' '))
}

const NOT_SUPPORTED = -32001

/** geth's words, which clients compare. */
function notSupported(): JsonRpcError {
  return new JsonRpcError(NOT_SUPPORTED, 'notifications not supported')
}
