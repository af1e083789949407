// Publishes the subscriber events of every view. Events of the canonical chain may need the node, so they follow one view after the other:
// if views come faster than the node answers, only the newest counts, because it contains the blocks of those in between. If the node
// fails, subscribers wait, so that they miss no block.
import { sleep } from '../../lib/async/wait.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import { createNodeCalls } from '../state/node-calls.ts'
import type { RpcState } from '../state/rpc-state.ts'
import { createCanonicalEvents } from './canonical-events.ts'
import { createFlashblockEvents } from './flashblock-events.ts'
import type { Subscriptions } from './subscriptions.ts'

const RETRY_MS = 500
/** After so many failures a block is skipped, so that subscribers get the blocks after it. */
const MAX_RETRIES = 20

/** Until the state's signal is aborted. */
export function publishEvents(state: RpcState, subscriptions: Subscriptions): void {
  const { pendingChain, latest, blockCache, log, signal } = state
  const flashblockEvents = createFlashblockEvents(state)
  const canonicalEvents = createCanonicalEvents(createNodeCalls(state), blockCache)
  const { wants } = subscriptions
  let newest: PendingView | undefined
  let isPublishing = false

  const publishCanonical = async (): Promise<void> => {
    isPublishing = true
    let failures = 0
    while (newest !== undefined && !signal.aborted) {
      const view: PendingView = newest
      newest = undefined
      const heads = wants('newHeads') && (latest === 'canonical' || view.snapshot.tip === null)
      try {
        for await (const event of canonicalEvents.after(view, { heads, logs: wants('logs') })) {
          subscriptions.publish(event)
        }
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        const reason = (error as Error).message
        if (failures++ === 0) log.warn({ reason }, 'subscriptions: events of a block wait for the node')
        if (failures > MAX_RETRIES) {
          log.warn({ reason }, 'subscriptions: events of a block are skipped because the node does not answer')
          canonicalEvents.skip(view)
          failures = 0
        }
        await sleep(RETRY_MS, signal).catch(() => undefined)
        newest ??= view
      }
    }
    isPublishing = false
  }

  const onView = (view: PendingView): void => {
    const events = flashblockEvents.after(view, wants, pendingChain.executedView())
    for (const event of events) subscriptions.publish(event)
    newest = view
    if (!isPublishing) void publishCanonical()
  }
  onView(pendingChain.view())
  const unsubscribe = pendingChain.on(onView)
  signal.addEventListener('abort', unsubscribe, { once: true })
}
