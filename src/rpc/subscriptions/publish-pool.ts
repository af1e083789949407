// Publishes transactions as they become known. The node's pool is listened to only while somebody wants them.
import type { Hex } from '../../chain/bytes/hex.ts'
import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { transactionToRpc } from '../../chain/rpc/to-rpc.ts'
import { sleep } from '../../lib/async/wait.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import { createNodeCalls } from '../state/node-calls.ts'
import type { Announcement } from '../state/pool-announcements.ts'
import type { RpcState } from '../state/rpc-state.ts'
import type { Subscriptions } from './subscriptions.ts'

const KIND = 'newPendingTransactions'
/** How soon the pool is listened to after the first subscription, and no longer after the last. */
const LOOK_MS = 250

/** Until the state's signal is aborted. */
export function publishPool(state: RpcState, subscriptions: Subscriptions): void {
  const { pendingChain, pool, poolHashes, signal } = state
  const { ask } = createNodeCalls(state)

  const publish = async ({ hash, transaction }: Announcement): Promise<void> => {
    if (!subscriptions.wants(KIND)) return
    const whole = transaction() ?? (subscriptions.wantsWhole(KIND) ? await transactionAtNode(hash) : undefined)
    subscriptions.publish({ kind: KIND, transactions: [{ hash, transaction: whole }] })
  }
  /** It may have left the pool meanwhile. */
  const transactionAtNode = (hash: Hex): Promise<unknown> =>
    ask('eth_getTransactionByHash', [hash]).then(
      (found) => found ?? undefined,
      () => undefined,
    )
  const endListening = pool.on((announced) => void publish(announced))

  /** By payload, the number of its transactions that were announced. */
  let announced: ReadonlyMap<Hex, number> = new Map()
  /** Deposits were in no pool. */
  const onView = ({ snapshot }: PendingView): void => {
    for (const { payloadId, transactions } of snapshot.blocks) {
      for (const { recovered } of transactions.slice(announced.get(payloadId) ?? 0)) {
        if (recovered.transaction.type === DEPOSIT) continue
        pool.announce(recovered.hash, () => transactionToRpc(recovered, null))
      }
    }
    announced = new Map(snapshot.blocks.map(({ payloadId, transactions }) => [payloadId, transactions.length]))
  }
  const endViews = pendingChain.on(onView)
  signal.addEventListener('abort', endListening, { once: true })
  signal.addEventListener('abort', endViews, { once: true })
  if (poolHashes !== undefined) void listenWhileWanted()

  async function listenWhileWanted(): Promise<void> {
    let listening: AbortController | undefined
    while (!signal.aborted) {
      const isWanted = subscriptions.wants(KIND)
      if (isWanted && listening === undefined) {
        listening = new AbortController()
        const until = AbortSignal.any([signal, listening.signal])
        void poolHashes!((hash) => pool.announce(hash, () => undefined), until)
      } else if (!isWanted && listening !== undefined) {
        listening.abort()
        listening = undefined
      }
      await sleep(LOOK_MS, signal).catch(() => undefined)
    }
  }
}
