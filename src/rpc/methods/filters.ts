// Filters: what other clients get over a WebSocket, for those that poll.

import { asObject, hashOf } from '../../chain/rpc/fields.ts'
import { ANY_LOG, logFilterFrom } from '../../chain/rpc/log-filter.ts'
import type { Filters } from '../subscriptions/filters.ts'
import type { RpcHandlers } from './handlers.ts'
import { logMethods } from './logs.ts'

type FilterMethod =
  | 'eth_newFilter'
  | 'eth_newBlockFilter'
  | 'eth_newPendingTransactionFilter'
  | 'eth_getFilterChanges'
  | 'eth_getFilterLogs'
  | 'eth_uninstallFilter'

export function filterMethods(filters: Filters): Pick<RpcHandlers, FilterMethod> {
  return {
    eth_newFilter: ({ work }, [query], [raw]) =>
      filters.add(
        work.client,
        { kind: 'logs', criteria: logFilterFrom(query), full: false },
        { query: { checked: query, raw } },
      ),
    eth_newBlockFilter: ({ work }) =>
      filters.add(
        work.client,
        { kind: 'newHeads', criteria: ANY_LOG, full: false },
        { view: (header) => hashOf(asObject(header, 'header'), 'hash') },
      ),
    eth_newPendingTransactionFilter: ({ work }, [full]) =>
      filters.add(work.client, { kind: 'newPendingTransactions', criteria: ANY_LOG, full: full === true }),
    eth_getFilterChanges: (_, [id]) => filters.take(id),
    eth_getFilterLogs(scope, [id]) {
      const { checked, raw } = filters.queryOf(id)
      return logMethods.eth_getLogs(scope, [checked], [raw])
    },
    eth_uninstallFilter: (_, [id]) => filters.remove(id),
  }
}
