// eth_sendRawTransaction and eth_sendRawTransactionSync.
import { z } from 'zod'
import type { Hex } from '../../../src/chain/bytes/hex.ts'
import { serverError } from '../../../src/evm/call/call-failures.ts'
import type { DevnetChain } from '../../chain/chain.ts'
import { receiptAt } from '../block-view.ts'
import { timedOut } from '../failures.ts'
import { method } from '../method.ts'
import { bytes } from '../params.ts'

const DEFAULT_WAIT_MS = 5_000
const MAX_WAIT_MS = 30_000

export const sendingMethods = {
  eth_sendRawTransaction: method({ raw: bytes }, ({ chain }, { raw }) => addToPool(chain, raw)),

  /** EIP-7966: answers with the receipt once there is one. */
  eth_sendRawTransactionSync: method(
    { raw: bytes, timeoutMs: z.int().positive().max(MAX_WAIT_MS).nullish() },
    async ({ chain }, { raw, timeoutMs }) => {
      const hash = addToPool(chain, raw)
      if (await getsIncluded(chain, hash, timeoutMs ?? DEFAULT_WAIT_MS)) {
        const found = chain.transaction(hash)
        if (found?.type === 'included') return receiptAt(found.block, found.index)
      }
      throw timedOut('the transaction was added to the pool but is not in a block yet', hash)
    },
  ),
}

export function addToPool(chain: DevnetChain, raw: Uint8Array): Hex {
  const answer = chain.pool.add(raw)
  if (answer.type === 'refused') throw serverError(answer.message)
  return answer.hash
}

function getsIncluded(chain: DevnetChain, hash: Hex, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), timeoutMs)
  const unsubscribe = chain.on((event) => {
    if (event.type !== 'head') return
    if (event.added.some(({ transactions }) => transactions.some(({ recovered }) => recovered.hash === hash)))
      resolve(true)
  })
  return promise.finally(() => {
    clearTimeout(timer)
    unsubscribe()
  })
}
