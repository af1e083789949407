// Subscriptions: events that the node pushes over a WebSocket.
import { z } from 'zod'
import type { Hex } from '../../../src/chain/bytes/hex.ts'
import { invalidParams, serverError } from '../../../src/evm/call/call-failures.ts'
import type { ChainEvent } from '../../chain/chain.ts'
import { newHeads, newLogs, newPendingHashes, newPendingTransactions } from '../chain-events.ts'
import { onlyOverWebSocket } from '../failures.ts'
import { logCriteria } from '../filters.ts'
import { method } from '../method.ts'

const subscriptionKind = z.enum(
  ['newHeads', 'logs', 'newPendingTransactions'],
  'must be newHeads, logs or newPendingTransactions',
)
const id = z.string().transform((text) => text as Hex)

export const subscriptionMethods = {
  eth_subscribe: method(
    { kind: subscriptionKind, options: z.unknown() },
    ({ chain, connection }, { kind, options }) => {
      if (connection === null) throw onlyOverWebSocket()
      const results = resultsFor(kind, options)
      return connection.subscribe((notify) =>
        chain.on((event) => {
          for (const result of results(event)) notify(result)
        }),
      )
    },
  ),
  eth_unsubscribe: method({ id }, ({ connection }, args) => {
    if (connection === null) throw onlyOverWebSocket()
    if (!connection.unsubscribe(args.id)) throw serverError('subscription not found')
    return true
  }),
}

function resultsFor(
  kind: z.output<typeof subscriptionKind>,
  options: unknown,
): (event: ChainEvent) => readonly unknown[] {
  switch (kind) {
    case 'newHeads':
      return newHeads
    case 'newPendingTransactions':
      return options === true ? newPendingTransactions : newPendingHashes
    case 'logs': {
      const criteria = logCriteria.safeParse(options ?? {})
      if (!criteria.success) throw invalidParams(`invalid argument 1: ${criteria.error.issues[0]!.message}`)
      return (event) => newLogs(criteria.data, event)
    }
  }
}
