import type { FeedHealth } from '../../../web/parts/preconfirmations/feed-health.tsx'
import { monotonicMs } from '../../lib/clock.ts'
import type { PendingNode } from './pending-node.ts'
import { oneOf, type PageLoader } from './visit.ts'

const WINDOWS = ['1h', '24h', '30d'] as const

export const qualityPage: PageLoader = async ({ ask, answers, node, query }) => {
  const window = oneOf(WINDOWS, query.window)
  const [quality, latencies, broken] = await Promise.all([
    ask('preconfirmationQuality'),
    answers.latencies(window),
    answers.brokenPreconfirmations(),
  ])
  return { page: 'quality', data: { window, windows: quality.data, latencies, broken, feed: feedHealth(node) } }
}

/** Undefined where this process follows no feed. Addresses of upstreams are not public, so they are left out. */
function feedHealth(node: PendingNode | undefined): FeedHealth | undefined {
  const status = node?.status()
  if (!status?.feed) return undefined
  return {
    isStale: status.isStale,
    ageMs: status.advancedMs === null ? null : Math.max(0, Math.round(monotonicMs() - status.advancedMs)),
    preconfirmed: status.preconfirmed,
    canonical: status.canonical,
    lost: status.feed.lost,
    unexpectedOrder: status.counts.unexpectedOrder,
    reorgs: status.counts.reorgs,
    upstreams: status.feed.upstreams.map(
      ({ isConnected, connections, messages, firsts, unreadable, lagMs, disproved, isDistrusted }) => ({
        isConnected,
        reconnects: Math.max(0, connections - 1),
        messages,
        firsts,
        unreadable,
        lagMs,
        disproved,
        isDistrusted,
      }),
    ),
  }
}
