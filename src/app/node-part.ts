// Watches the node from the main thread: each URL is asked at short intervals, so that silence, a head that stands still, answers of
// another chain and another client are seen within seconds, whatever the parts that use the node are doing.
import type { Part } from '../lib/async/lifecycle.ts'
import { sleep } from '../lib/async/wait.ts'
import { ConfigError } from '../lib/config/config.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { type HealthLimits, problemOf } from '../upstream/node/node-health.ts'
import { type NodeProfile, profileText } from '../upstream/node/profile.ts'
import { type WatchedNode, watchedNode } from '../upstream/node/watched-node.ts'
import type { ServerContext } from './context.ts'
import { whyNotReth } from './node-check.ts'

export type NodeWatch = {
  /** For /ready and pages; empty while at least one URL can be relied on. */
  problems(): readonly string[]
  /** For /status, one for each URL. */
  status(): readonly NodeWatchStatus[]
  /** For pages, one for each URL that has been probed: the client, and what it can do. */
  abilities(): readonly string[]
}

export type NodeWatchStatus = {
  readonly url: string
  readonly client: string | null
  /** Since its last answer; null before the first. */
  readonly answerAgeMs: number | null
  readonly height: number | null
  readonly problem: string | null
  /** How much state it has, how it gives traces and receipts; null before it was probed. */
  readonly can: Pick<NodeProfile, 'state' | 'traces' | 'receipts'> | null
}

export function nodePart({
  config,
  metrics,
  log,
  fail,
}: ServerContext): Part<NodeWatch & { running: Promise<unknown> }> {
  return {
    name: 'node watch',
    start: (signal) => {
      const limits: HealthLimits = { silentMs: config.NODE_SILENT_MS, staleMs: config.NODE_STALE_MS }
      const needsReth = config.FLASHBLOCKS_ENABLED && config.RPC_TYPE_CHECK === 'on'
      const onClient = (client: string): void => {
        const reason = needsReth ? whyNotReth(client) : null
        if (reason !== null)
          fail(new ConfigError(`${reason}: Flashblocks need reth (RPC_TYPE_CHECK=off if you know better)`))
      }
      const watched = config.RPC_URL!.map((url) => watchedNode(url, onClient))
      const running = Promise.all(
        watched.map((each) => watch(each, { everyMs: config.NODE_CHECK_MS, limits, log }, signal)),
      )
      const watching = watchOf(watched, limits)
      addNodeMetrics(metrics, watching)
      return { ...watching, running }
    },
    stop: ({ running }) => running,
  }
}

type WatchOptions = {
  readonly everyMs: number
  readonly limits: HealthLimits
  readonly log: Log
}

async function watch(node: WatchedNode, { everyMs, limits, log }: WatchOptions, signal: AbortSignal): Promise<void> {
  let last: string | undefined
  let lastAbilities: string | undefined
  while (!signal.aborted) {
    await node.look(signal)
    const problem = problemOf(node.health(), limits, performance.now())
    if (problem !== undefined && last === undefined) log.warn({ node: node.name, problem }, 'node: has a problem')
    if (problem === undefined && last !== undefined) log.info({ node: node.name }, 'node: is well again')
    last = problem
    const [abilities] = abilitiesOf(node)
    if (abilities !== lastAbilities && lastAbilities !== undefined)
      log.info({ node: node.name, abilities }, 'node: can do something else than before')
    lastAbilities = abilities
    await sleep(everyMs, signal).catch(() => undefined)
  }
  await node.close()
}

function abilitiesOf(node: WatchedNode): string[] {
  const profile = node.profile()
  return profile === null ? [] : [profileText(profile)]
}

function watchOf(watched: readonly WatchedNode[], limits: HealthLimits): NodeWatch {
  const problemWith = (node: WatchedNode) => problemOf(node.health(), limits, performance.now())
  return {
    problems() {
      const all = watched.map((node) => ({ name: node.name, problem: problemWith(node) }))
      if (all.some(({ problem }) => problem === undefined)) return []
      return all.map(({ name, problem }) => `the node ${name} cannot be relied on: ${problem}`)
    },
    status: () =>
      watched.map((node) => {
        const { answeredMs, height } = node.health()
        const profile = node.profile()
        return {
          url: node.name,
          client: node.client(),
          answerAgeMs: answeredMs === null ? null : Math.round(performance.now() - answeredMs),
          height,
          problem: problemWith(node) ?? null,
          can: profile && { state: profile.state, traces: profile.traces, receipts: profile.receipts },
        }
      }),
    abilities: () => watched.flatMap(abilitiesOf),
  }
}

function addNodeMetrics(metrics: Metrics, { problems, status }: NodeWatch): void {
  metrics.gauge('firstlight_node_up', '1 while a URL of the node answers, of the right chain, with new blocks', () =>
    problems().length === 0 ? 1 : 0,
  )
  metrics.gauge('firstlight_node_answer_age_seconds', 'Time since the last answer of any URL of the node', () => {
    const ages = status().flatMap(({ answerAgeMs }) => (answerAgeMs === null ? [] : [answerAgeMs / 1000]))
    return ages.length === 0 ? Number.NaN : Math.min(...ages)
  })
}
