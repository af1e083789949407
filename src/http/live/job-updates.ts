// Verification jobs for open pages: while somebody looks at one, the store is asked for its stages until it has ended. Another
// process may run it, hence asking.
import { setTimeout as sleep } from 'node:timers/promises'
import type { rendering as webRendering } from '../../../web/render.tsx'
import type { PageAnswers } from '../../explorer/pages/page-answers.ts'
import type { Log } from '../../lib/log.ts'
import { pageJob } from '../pages/verify-job.ts'
import type { UpdateSource } from './live.ts'
import type { Publisher } from './updates.ts'

const LOOK_EVERY_MS = 300
/** Jobs that are looked after at a time. */
const MOST_JOBS = 100
const JOB = /^job:[0-9a-f]{32}$/
const PREFIX = 'job:'.length

export function createJobUpdates(options: {
  answers: Pick<PageAnswers, 'contracts'>
  rendering: typeof webRendering
  log: Log
}): UpdateSource & { readonly run: (live: Publisher, signal: AbortSignal) => Promise<void> } {
  const { answers, rendering, log } = options
  const stagesOf = async (topic: string): Promise<{ html: string; hasEnded: boolean } | undefined> => {
    const job = await pageJob({ answers }, topic.slice(PREFIX))
    if (!job) return undefined
    return { html: rendering.renderUpdates.job(job), hasEnded: job.outcome !== null }
  }

  /** What was last said of each job that somebody looks at. */
  const told = new Map<string, { html: string; hasEnded: boolean }>()
  const tell = async (live: Publisher): Promise<void> => {
    const topics = new Set(live.followedTopics().filter((topic) => JOB.test(topic)))
    for (const topic of told.keys()) if (!topics.has(topic)) told.delete(topic)
    for (const topic of [...topics].filter((each) => !told.get(each)?.hasEnded).slice(0, MOST_JOBS)) {
      const stages = await stagesOf(topic)
      if (!stages) continue
      if (told.get(topic)?.html !== stages.html) live.publish(topic, stages.html)
      told.set(topic, stages)
    }
  }

  return {
    topics: [JOB],
    current: async (topic) => (await stagesOf(topic))?.html,
    run: async (live, signal) => {
      let hasComplained = false
      while (!signal.aborted) {
        try {
          await tell(live)
          hasComplained = false
        } catch (error) {
          if (!hasComplained) log.warn({ error }, 'open pages get no news of verifications')
          hasComplained = true
        }
        await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}
