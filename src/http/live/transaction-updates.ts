// The timelines of transactions on open pages. A transaction is looked up again when the ledger reports it, and when the index or the heads
// of the node have moved.
import { createMutex } from '../../lib/async/semaphore.ts'
import { preconfirmationOf } from '../pages/transaction.ts'
import { type ChainUpdateSource, fragmentShell, type Publisher, type UpdateSourceOptions } from './updates.ts'

const TRANSACTION = /^tx:0x[0-9a-f]{64}$/
const PREFIX = 'tx:'.length
/** Transactions that are looked up at the same time. */
const BATCH = 50

export function createTransactionUpdates({ source, rendering, chain, log }: UpdateSourceOptions): ChainUpdateSource {
  /** The last update of each transaction on an open page. */
  const sent = new Map<string, { html: string; isFinal: boolean }>()
  const due = new Set<string>()
  /** One publication at a time, so that no older state follows a newer one. */
  const oneAtATime = createMutex()

  const timelineOf = async (topic: string) => {
    const hash = topic.slice(PREFIX)
    const [preconfirmation, found] = await Promise.all([
      preconfirmationOf(source, hash),
      source.ask('transactionMulti', { txId: hash }),
    ])
    // E10 answers for pending transactions too; those are in no block.
    const inclusion = found.data.find(({ state }) => state !== 'pending')
    const html = rendering.renderUpdates.timeline({
      hash,
      preconfirmation,
      inclusion,
      shell: { ...fragmentShell(chain), nowMs: 0 },
    })
    return { html, isFinal: (preconfirmation?.stage || inclusion?.stage) === 'finalized' }
  }

  const publish = async (live: Publisher, topic: string): Promise<void> => {
    const steps = await timelineOf(topic)
    if (sent.get(topic)?.html !== steps.html) live.publish(topic, steps.html)
    sent.set(topic, steps)
  }

  const publishDue = async (live: Publisher): Promise<void> => {
    while (due.size > 0) {
      const topics = [...due].slice(0, BATCH)
      for (const topic of topics) due.delete(topic)
      await Promise.all(topics.map((topic) => publish(live, topic)))
    }
  }

  /** A finalized transaction does not change any more. */
  const publishAll = (live: Publisher): Promise<void> => {
    const followed = new Set(live.followedTopics().filter((topic) => TRANSACTION.test(topic)))
    for (const topic of sent.keys()) if (!followed.has(topic)) sent.delete(topic)
    for (const topic of followed) if (!sent.get(topic)?.isFinal) due.add(topic)
    return oneAtATime(() => publishDue(live))
  }

  return {
    topics: [TRANSACTION],
    current: async (topic) => (await timelineOf(topic)).html,
    onLedgerEvents: (live, events) => {
      const isRunning = due.size > 0
      for (const event of events) {
        if (event.type !== 'transaction') continue
        const topic = `tx:${event.record.hash}`
        if (live.isFollowed(topic)) due.add(topic)
      }
      const haveHeadsMoved = events.some(({ type }) => type === 'tag')
      if (!haveHeadsMoved && (isRunning || due.size === 0)) return
      const done = haveHeadsMoved ? publishAll(live) : oneAtATime(() => publishDue(live))
      done.catch((error: unknown) => log.warn({ error }, 'live pages: sending the timeline of a transaction failed'))
    },
    onIndexChange: publishAll,
  }
}
