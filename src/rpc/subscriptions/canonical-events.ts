// News of the canonical chain for those who subscribed: every new head, the logs in it, and the logs that a reorg took back.
import type { Hex } from '../../chain/bytes/hex.ts'
import { ANY_LOG } from '../../chain/rpc/log-filter.ts'
import type { RpcLog } from '../../chain/rpc/types.ts'
import type { CanonicalHead } from '../../pending/links.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import type { NodeCalls } from '../state/node-calls.ts'
import { headerOf, logsOf } from '../state/pending-views.ts'
import { sealedBlock } from '../state/recent-blocks.ts'
import type { SubscriberEvent } from './flashblock-events.ts'

export type CanonicalEvents = {
  /** What it was about to tell when it throws comes with the next view. */
  after(view: PendingView, wanted: { readonly heads: boolean; readonly logs: boolean }): AsyncGenerator<SubscriberEvent>
  /** Nothing will be told of the heads of this view. */
  passOver(view: PendingView): void
}

export function createCanonicalEvents({ ask }: Pick<NodeCalls, 'ask'>): CanonicalEvents {
  let told: readonly CanonicalHead[] | undefined
  /** Of a head that is told but for its logs. */
  let headerTold: Hex | null = null
  /** Of the heads that were told, as long as they can still be taken back. */
  const logsTold = new Map<Hex, readonly RpcLog[]>()

  const headerAt = async (view: PendingView, hash: Hex): Promise<string | null> => {
    const block = sealedBlock(view, hash)
    if (block !== null) return JSON.stringify(headerOf(block))
    const asked = (await ask('eth_getBlockByHash', [hash, false])) as Record<string, unknown> | null
    if (asked === null) return null
    const { transactions: _, uncles: __, withdrawals: ___, size: ____, ...header } = asked
    return JSON.stringify(header)
  }

  const logsAt = async (view: PendingView, hash: Hex): Promise<readonly RpcLog[]> => {
    const block = sealedBlock(view, hash)
    if (block !== null) return logsOf(block, ANY_LOG)
    return (await ask('eth_getLogs', [{ blockHash: hash }])) as RpcLog[]
  }

  return {
    async *after(view, wanted) {
      const { heads } = view.chain
      // What was there before anybody listened is no news.
      told ??= heads
      const lowest = heads[0]?.height ?? 0
      for (const gone of told.filter(({ hash }) => !heads.some((head) => head.hash === hash)).toReversed()) {
        const logs = logsTold.get(gone.hash)
        logsTold.delete(gone.hash)
        told = told.filter((head) => head !== gone)
        const isOld = gone.height < lowest
        if (logs !== undefined && !isOld) yield { kind: 'logs', logs: logs.map((log) => ({ ...log, removed: true })) }
      }
      for (const head of heads) {
        if (told.some(({ hash }) => hash === head.hash)) continue
        if (wanted.heads && headerTold !== head.hash) {
          const header = await headerAt(view, head.hash)
          headerTold = head.hash
          if (header !== null) yield { kind: 'newHeads', text: header }
        }
        const logs = wanted.logs ? await logsAt(view, head.hash) : null
        told = [...told, head]
        if (logs === null) continue
        logsTold.set(head.hash, logs)
        if (logs.length > 0) yield { kind: 'logs', logs }
      }
    },
    passOver({ chain }) {
      told = chain.heads
    },
  }
}
