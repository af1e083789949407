// News of the canonical chain for those who subscribed: every new head, the logs in it, and the logs that a reorg took back.
import type { Hex } from '../chain/hex.ts'
import type { RpcLog } from '../chain/rpc-types.ts'
import type { CanonicalHead } from '../flashblocks/links.ts'
import type { PendingView } from '../flashblocks/preconfirmations.ts'
import { ANY_LOG } from './log-criteria.ts'
import type { News } from './news.ts'
import type { NodeCalls } from './node-calls.ts'
import { headerOf, logsOf } from './pending-views.ts'
import { sealedBlock } from './recent.ts'

export type CanonicalNews = {
  after(view: PendingView, wanted: { readonly heads: boolean; readonly logs: boolean }): Promise<readonly News[]>
}

export function createCanonicalNews({ ask }: Pick<NodeCalls, 'ask'>): CanonicalNews {
  let told: readonly CanonicalHead[] | null = null
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
    async after(view, wanted) {
      const { heads } = view.chain
      const before = told
      told = heads
      // What was there before anybody listened is no news.
      if (before === null) return []
      const news: News[] = []
      for (const { hash } of before.toReversed()) {
        const logs = logsTold.get(hash)
        const lowest = heads[0]?.height ?? 0
        const isGone = !heads.some((head) => head.hash === hash)
        if (!isGone) continue
        logsTold.delete(hash)
        const isOld = before.some((head) => head.hash === hash && head.height < lowest)
        if (logs !== undefined && !isOld)
          news.push({ kind: 'logs', logs: logs.map((log) => ({ ...log, removed: true })) })
      }
      for (const { hash } of heads.filter((head) => !before.some((other) => other.hash === head.hash))) {
        const header = wanted.heads ? await headerAt(view, hash) : null
        if (header !== null) news.push({ kind: 'newHeads', text: header })
        if (!wanted.logs) continue
        const logs = await logsAt(view, hash)
        logsTold.set(hash, logs)
        if (logs.length > 0) news.push({ kind: 'logs', logs })
      }
      return news
    },
  }
}
