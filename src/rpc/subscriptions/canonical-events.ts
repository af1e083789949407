// Subscriber events of the canonical chain: every new head, the logs in it, and the logs that a reorg removed.
import type { Hex } from '../../chain/bytes/hex.ts'
import { ANY_LOG } from '../../chain/rpc/log-filter.ts'
import type { RpcLog } from '../../chain/rpc/types.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import type { CanonicalHead } from '../../pending/pending-chain.ts'
import { type BlockCache, canonicalBlock } from '../state/block-cache.ts'
import { headerOf, logsOf } from '../state/block-json.ts'
import type { NodeCalls } from '../state/node-calls.ts'
import type { SubscriberEvent } from './subscriptions.ts'

export type CanonicalEvents = {
  /** When it throws, the events that were not yielded come with the next view. */
  after(view: PendingView, wanted: { readonly heads: boolean; readonly logs: boolean }): AsyncGenerator<SubscriberEvent>
  /** Gives up the events of this view's heads. */
  skip(view: PendingView): void
}

export function createCanonicalEvents({ ask }: Pick<NodeCalls, 'ask'>, blockCache: BlockCache): CanonicalEvents {
  let published: readonly CanonicalHead[] | undefined
  /** The head whose header is published while its logs are not. */
  let lastHeader: Hex | undefined
  /** The logs of the published heads, as long as a reorg can still remove them. */
  const publishedLogs = new Map<Hex, readonly RpcLog[]>()

  const headerAt = async (view: PendingView, hash: Hex): Promise<string | null> => {
    const block = canonicalBlock(blockCache, view, hash)
    if (block !== null) return JSON.stringify(headerOf(block))
    const answer = (await ask('eth_getBlockByHash', [hash, false])) as Record<string, unknown> | null
    if (answer === null) return null
    const { transactions: _, uncles: __, withdrawals: ___, size: ____, ...header } = answer
    return JSON.stringify(header)
  }

  const logsAt = async (view: PendingView, hash: Hex): Promise<readonly RpcLog[]> => {
    const block = canonicalBlock(blockCache, view, hash)
    if (block !== null) return logsOf(block, ANY_LOG)
    return (await ask('eth_getLogs', [{ blockHash: hash }])) as RpcLog[]
  }

  return {
    async *after(view, wanted) {
      const { heads } = view.chain
      // Heads that were there before the first view are not new.
      published ??= heads
      const lowest = heads[0]?.height ?? 0
      for (const gone of published.filter(({ hash }) => !heads.some((head) => head.hash === hash)).toReversed()) {
        const logs = publishedLogs.get(gone.hash)
        publishedLogs.delete(gone.hash)
        published = published.filter((head) => head !== gone)
        const isTooOldForReorg = gone.height < lowest
        if (logs !== undefined && !isTooOldForReorg) {
          yield { kind: 'logs', logs: logs.map((log) => ({ ...log, removed: true })) }
        }
      }
      for (const head of heads) {
        if (published.some(({ hash }) => hash === head.hash)) continue
        if (wanted.heads && lastHeader !== head.hash) {
          const header = await headerAt(view, head.hash)
          lastHeader = head.hash
          if (header !== null) yield { kind: 'newHeads', text: header }
        }
        const logs = wanted.logs ? await logsAt(view, head.hash) : undefined
        published = [...published, head]
        if (logs === undefined) continue
        publishedLogs.set(head.hash, logs)
        if (logs.length > 0) yield { kind: 'logs', logs }
      }
    },
    skip({ chain }) {
      published = chain.heads
    },
  }
}
