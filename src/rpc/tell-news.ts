// Takes every view to those who subscribed. One view after the other; where views come faster than the node tells of its blocks, the
// newest counts, and what lies between is in it.
import type { PendingView, Preconfirmations } from '../flashblocks/preconfirmations.ts'
import type { Log } from '../lib/log.ts'
import { createCanonicalNews } from './canonical-news.ts'
import { createPendingNews } from './news.ts'
import type { NodeCalls } from './node-calls.ts'
import type { Subscriptions } from './subscriptions.ts'

export type Telling = {
  readonly preconfirmations: Preconfirmations
  readonly subscriptions: Subscriptions
  readonly nodeCalls: NodeCalls
  readonly latest: 'canonical' | 'preconfirmed'
  readonly log: Log
}

/** Returns the way to end it. */
export function tellNews({ preconfirmations, subscriptions, nodeCalls, latest, log }: Telling): () => void {
  const pending = createPendingNews({ latest })
  const canonical = createCanonicalNews(nodeCalls)
  const { wants } = subscriptions
  let newest: PendingView | null = null
  let isTelling = false

  const tellCanonical = async (): Promise<void> => {
    isTelling = true
    while (newest !== null) {
      const view = newest
      newest = null
      const heads = wants('newHeads') && (latest === 'canonical' || view.snapshot.tip === null)
      try {
        for (const news of await canonical.after(view, { heads, logs: wants('logs') })) subscriptions.tell(news)
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'subscribers were not told of a block')
      }
    }
    isTelling = false
  }

  const take = (view: PendingView): void => {
    for (const news of pending.after(view, wants)) subscriptions.tell(news)
    newest = view
    if (!isTelling) void tellCanonical()
  }
  take(preconfirmations.view())
  return preconfirmations.on(take)
}
