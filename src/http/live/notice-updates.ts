// Notices for open pages: what readers of every page should know, such as a node that does not answer, as soon as it begins or ends.
import type { rendering as webRendering } from '../../../web/render.tsx'
import { sleep } from '../../lib/async/wait.ts'
import type { UpdateSource } from './live.ts'
import type { Publisher } from './updates.ts'

const TOPIC = 'notices'
const POLL_MS = 500

export function createNoticeUpdates(options: {
  notices: () => readonly string[]
  rendering: typeof webRendering
}): UpdateSource & { readonly run: (live: Publisher, signal: AbortSignal) => Promise<void> } {
  const { notices, rendering } = options
  const html = () => rendering.renderUpdates.notices(notices())
  return {
    topics: [/^notices$/],
    current: async () => html(),
    run: async (live, signal) => {
      let published = ''
      while (!signal.aborted) {
        const latest = withoutTimes(notices())
        if (latest !== published) live.publish(TOPIC, html())
        published = latest
        await sleep(POLL_MS, signal).catch(() => undefined)
      }
    },
  }
}

/** A reader should not be interrupted because a node has been silent for one second more, or a percent more is done. */
function withoutTimes(notices: readonly string[]): string {
  return notices.join('\n').replace(/\d+ (s\b|%|of \d+)/g, '')
}
