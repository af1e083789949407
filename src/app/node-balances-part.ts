// Balances from the node for answers, where the index is not sure of them, as a part of a server.
import { type Hex, toQuantity } from '../chain/bytes/hex.ts'
import type { NodeBalances } from '../explorer/state/chain-context.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { askForBalances } from '../store/chain/native-repair.ts'
import type { Database } from '../store/engine/database.ts'
import { NodeUnavailable } from '../upstream/node/failures.ts'
import { createNode } from '../upstream/node/node.ts'

/** A page waits no longer for the node. */
const TIMEOUT_MS = 2_000

export function nodeBalancesPart(
  urls: readonly string[],
  { database, log }: { readonly database: Database; readonly log: Log },
): Part<NodeBalances & { close(): void }> {
  return {
    name: 'balances of the node',
    start: () => {
      const node = createNode({ urls, log, wantsTraces: false, timeoutMs: TIMEOUT_MS, giveUpAfterMs: TIMEOUT_MS })
      return {
        close: () => node.close(),
        async readAt(addresses, height) {
          const balances = await read(addresses, height)
          const found = [...balances].filter(([, balance]) => balance > 0n).map(([address]) => address)
          // The repair stores what was found, so that lists have it too. An answer does not fail because that does.
          if (found.length > 0) {
            await askForBalances(database, found).catch((error) => log.warn({ error }, 'balances: not asked for'))
          }
          return balances
        },
      }

      async function read(addresses: readonly Hex[], height: number): Promise<Map<Hex, bigint>> {
        const calls = addresses.map((address) => ({ method: 'eth_getBalance', params: [address, toQuantity(height)] }))
        try {
          const answers = await node.ask(calls, AbortSignal.timeout(TIMEOUT_MS))
          return new Map(
            addresses.flatMap((address, index): [Hex, bigint][] => {
              const answer = answers[index]!
              const isNumber = answer.type === 'result' && /^0x[0-9a-f]+$/i.test(String(answer.result))
              return isNumber ? [[address, BigInt(String(answer.result))]] : []
            }),
          )
        } catch (error) {
          const isSilent = error instanceof NodeUnavailable || (error as Error).name === 'TimeoutError'
          if (!isSilent) throw error
          return new Map()
        }
      }
    },
    stop: (balances) => balances.close(),
  }
}
