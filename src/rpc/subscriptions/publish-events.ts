// Takes every view to those who subscribed. One view after the other; where views come faster than the node tells of its blocks, the
// newest counts, and what lies between is in it. Where the node does not tell of one, they wait, so that there is no hole.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../lib/log.ts'
import type { LivePendingChain, PendingView } from '../../pending/live-pending-chain.ts'
import type { NodeCalls } from '../state/node-calls.ts'
import { createCanonicalEvents } from './canonical-events.ts'
import { createFlashblockEvents } from './flashblock-events.ts'
import type { Subscriptions } from './subscriptions.ts'

export type EventSources = {
  readonly pendingChain: LivePendingChain
  readonly subscriptions: Subscriptions
  readonly nodeCalls: NodeCalls
  readonly latest: 'canonical' | 'preconfirmed'
  readonly log: Log
}

/** Returns the way to end it. */
export function publishEvents({ pendingChain, subscriptions, nodeCalls, latest, log }: EventSources): () => void {
  const pending = createFlashblockEvents({ latest })
  const canonical = createCanonicalEvents(nodeCalls)
  const { wants } = subscriptions
  const ending = new AbortController()
  let newest: PendingView | null = null
  let isTelling = false

  const tellCanonical = async (): Promise<void> => {
    isTelling = true
    let failures = 0
    while (newest !== null && !ending.signal.aborted) {
      const view: PendingView = newest
      newest = null
      const heads = wants('newHeads') && (latest === 'canonical' || view.snapshot.tip === null)
      try {
        for await (const news of canonical.after(view, { heads, logs: wants('logs') })) subscriptions.publish(news)
        failures = 0
      } catch (error) {
        if (ending.signal.aborted) return
        const reason = (error as Error).message
        if (failures++ === 0) log.warn({ reason }, 'subscribers wait for news of a block')
        if (failures > MOST_RETRIES) {
          log.warn({ reason }, 'subscribers were not told of a block')
          canonical.passOver(view)
          failures = 0
        }
        await sleep(RETRY_MS, undefined, { signal: ending.signal }).catch(() => undefined)
        newest ??= view
      }
    }
    isTelling = false
  }

  const take = (view: PendingView): void => {
    for (const news of pending.after(view, wants)) subscriptions.publish(news)
    newest = view
    if (!isTelling) void tellCanonical()
  }
  take(pendingChain.view())
  const endListening = pendingChain.on(take)
  return () => {
    endListening()
    ending.abort()
  }
}

const RETRY_MS = 500
/** A node that will not tell of a block must not keep the others from them. */
const MOST_RETRIES = 20
