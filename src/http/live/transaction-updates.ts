// The steps of transactions that somebody looks at. A transaction is looked up when the preconfirmation tells something of it, and when the
// index or the node's heads have moved; never otherwise.
import { createMutex } from '../../lib/async/semaphore.ts'
import { preconfirmationOf } from '../pages/transaction.ts'
import { type ChainUpdateSource, fragmentShell, type Publisher, type UpdateSourceOptions } from './updates.ts'

const TRANSACTION = /^tx:0x[0-9a-f]{64}$/
const PREFIX = 'tx:'.length
/** Transactions that are looked up at a time. */
const AT_ONCE = 50

export function createTransactionUpdates({ source, rendering, chain, log }: UpdateSourceOptions): ChainUpdateSource {
  /** What was last said of each transaction that somebody looks at. */
  const told = new Map<string, { html: string; isFinal: boolean }>()
  const due = new Set<string>()
  /** Nothing older is told later. */
  const inTurn = createMutex()

  const stepsOf = async (topic: string) => {
    const hash = topic.slice(PREFIX)
    const [preconfirmation, found] = await Promise.all([
      preconfirmationOf(source, hash),
      source.ask('transactionMulti', { txId: hash }),
    ])
    const inclusion = found.data[0]
    const html = rendering.renderUpdates.timeline({
      hash,
      preconfirmation,
      inclusion,
      shell: { ...fragmentShell(chain), nowMs: 0 },
    })
    return { html, isFinal: (preconfirmation?.stage || inclusion?.stage) === 'finalized' }
  }

  const tell = async (live: Publisher, topic: string): Promise<void> => {
    const steps = await stepsOf(topic)
    if (told.get(topic)?.html !== steps.html) live.publish(topic, steps.html)
    told.set(topic, steps)
  }

  const tellDue = async (live: Publisher): Promise<void> => {
    while (due.size > 0) {
      const topics = [...due].slice(0, AT_ONCE)
      for (const topic of topics) due.delete(topic)
      await Promise.all(topics.map((topic) => tell(live, topic)))
    }
  }

  /** One that is final stays as it is. */
  const lookAtAll = (live: Publisher): Promise<void> => {
    const followed = new Set(live.followedTopics().filter((topic) => TRANSACTION.test(topic)))
    for (const topic of told.keys()) if (!followed.has(topic)) told.delete(topic)
    for (const topic of followed) if (!told.get(topic)?.isFinal) due.add(topic)
    return inTurn(() => tellDue(live))
  }

  return {
    topics: [TRANSACTION],
    current: async (topic) => (await stepsOf(topic)).html,
    onLedgerEvents: (live, events) => {
      const isUnderWay = due.size > 0
      for (const event of events) {
        if (event.type !== 'transaction') continue
        const topic = `tx:${event.record.hash}`
        if (live.isFollowed(topic)) due.add(topic)
      }
      const haveHeadsMoved = events.some(({ type }) => type === 'tag')
      if (!haveHeadsMoved && (isUnderWay || due.size === 0)) return
      const looked = haveHeadsMoved ? lookAtAll(live) : inTurn(() => tellDue(live))
      looked.catch((error: unknown) => log.warn({ error }, 'open pages missed a step of a transaction'))
    },
    onIndexChange: lookAtAll,
  }
}
