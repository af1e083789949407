// Filters: events that a client polls.
import { z } from 'zod'
import type { Hex } from '../../../src/chain/bytes/hex.ts'
import { serverError } from '../../../src/evm/call/call-failures.ts'
import { newBlockHashes, newLogs, newPendingHashes, newPendingTransactions } from '../chain-events.ts'
import { logQuery } from '../filters.ts'
import { method } from '../method.ts'
import { flag } from '../params.ts'
import { findLogs } from './logs.ts'

const id = z
  .string()
  .regex(/^0x[0-9a-fA-F]+$/, 'must be the id of a filter')
  .transform((text) => text as Hex)

export const filterMethods = {
  eth_newFilter: method({ filter: logQuery }, ({ filters }, { filter }) =>
    filters.add({ resultsOf: (event) => newLogs(filter, event), query: filter }),
  ),
  eth_newBlockFilter: method({}, ({ filters }) => filters.add({ resultsOf: newBlockHashes })),
  eth_newPendingTransactionFilter: method({ full: flag.nullish() }, ({ filters }, { full }) =>
    filters.add({ resultsOf: full === true ? newPendingTransactions : newPendingHashes }),
  ),
  eth_getFilterChanges: method({ id }, ({ filters }, args) => {
    const results = filters.take(args.id)
    if (results === null) throw notFound()
    return results
  }),
  eth_getFilterLogs: method({ id }, ({ chain, filters }, args) => {
    const query = filters.queryOf(args.id)
    if (query === null) throw notFound()
    return findLogs(chain, query)
  }),
  eth_uninstallFilter: method({ id }, ({ filters }, args) => filters.remove(args.id)),
}

function notFound() {
  return serverError('filter not found')
}
