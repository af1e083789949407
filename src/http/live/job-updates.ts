// Verification jobs for open pages. While the page of a job is open, the store is polled for its stages until it has ended: another process
// may run the job.
import { setTimeout as sleep } from 'node:timers/promises'
import type { rendering as webRendering } from '../../../web/render.tsx'
import type { PageAnswers } from '../../explorer/pages/page-answers.ts'
import type { Log } from '../../lib/log.ts'
import { pageJob } from '../pages/verify.ts'
import type { UpdateSource } from './live.ts'
import type { Publisher } from './updates.ts'

const POLL_MS = 300
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

  /** The last update of each job on an open page. */
  const sent = new Map<string, { html: string; hasEnded: boolean }>()
  const publish = async (live: Publisher): Promise<void> => {
    const topics = new Set(live.followedTopics().filter((topic) => JOB.test(topic)))
    for (const topic of sent.keys()) if (!topics.has(topic)) sent.delete(topic)
    for (const topic of [...topics].filter((each) => !sent.get(each)?.hasEnded).slice(0, MOST_JOBS)) {
      const stages = await stagesOf(topic)
      if (!stages) continue
      if (sent.get(topic)?.html !== stages.html) live.publish(topic, stages.html)
      sent.set(topic, stages)
    }
  }

  return {
    topics: [JOB],
    current: async (topic) => (await stagesOf(topic))?.html,
    run: async (live, signal) => {
      let hasLogged = false
      while (!signal.aborted) {
        try {
          await publish(live)
          hasLogged = false
        } catch (error) {
          if (!hasLogged) log.warn({ error }, 'live pages: reading verification jobs failed, open pages get no updates')
          hasLogged = true
        }
        await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}
