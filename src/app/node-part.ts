// Watches the node from the main thread: each URL is asked at short intervals, so that silence, a head that stands still and answers of
// another chain are seen within seconds, whatever the parts that use the node are doing.
import type { Hex } from '../chain/bytes/hex.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import { sleep } from '../lib/async/wait.ts'
import { ConfigError } from '../lib/config/config.ts'
import { type Log, withoutCredentials } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { createHttpTransport } from '../upstream/node/http-transport.ts'
import type { Answer, Transport } from '../upstream/node/json-rpc.ts'
import {
  type HealthLimits,
  healthAfterAnswer,
  healthAfterFailure,
  type NodeHealth,
  problemOf,
  startingHealth,
} from '../upstream/node/node-health.ts'
import { createSocketTransport } from '../upstream/node/rpc-socket.ts'
import type { ServerContext } from './context.ts'
import { whyNotReth } from './node-check.ts'

export type NodeWatch = {
  /** For /ready and pages; empty while at least one URL can be relied on. */
  problems(): readonly string[]
  /** For /status, one for each URL. */
  status(): readonly NodeWatchStatus[]
}

export type NodeWatchStatus = {
  readonly url: string
  readonly client: string | null
  /** Since its last answer; null before the first. */
  readonly answerAgeMs: number | null
  readonly height: number | null
  readonly problem: string | null
}

type Watched = { readonly name: string; readonly transport: Transport; health: NodeHealth; client: string | null }

const ANSWER_BYTES = 1_000_000
const TIMEOUT_MS = 3_000

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
      const watched = config.RPC_URL!.map((url): Watched => {
        const transportLimits = { timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_BYTES }
        const transport = url.startsWith('ws')
          ? createSocketTransport(url, transportLimits)
          : createHttpTransport(url, transportLimits)
        return { name: withoutCredentials(url), transport, health: startingHealth(Date.now()), client: null }
      })
      const onClient = (client: string): void => {
        const reason = needsReth ? whyNotReth(client) : null
        if (reason !== null)
          fail(new ConfigError(`${reason}: Flashblocks need reth (RPC_TYPE_CHECK=off if you know better)`))
      }
      const running = Promise.all(
        watched.map((each) => watch(each, { everyMs: config.NODE_CHECK_MS, limits, onClient, log }, signal)),
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
  readonly onClient: (client: string) => void
  readonly log: Log
}

async function watch(each: Watched, options: WatchOptions, signal: AbortSignal): Promise<void> {
  let last: string | undefined
  while (!signal.aborted) {
    await look(each, options, signal)
    const problem = problemOf(each.health, options.limits, Date.now())
    if (problem !== undefined && last === undefined)
      options.log.warn({ node: each.name, problem }, 'node: has a problem')
    if (problem === undefined && last !== undefined) options.log.info({ node: each.name }, 'node: is well again')
    last = problem
    await sleep(options.everyMs, signal).catch(() => undefined)
  }
  each.transport.close()
}

async function look(each: Watched, { onClient }: WatchOptions, signal: AbortSignal): Promise<void> {
  // Not every node knows batches, so each question goes alone.
  const ask = async (method: string, params: readonly unknown[] = []) => {
    const [answer] = await each.transport.exchange([{ method, params }], signal)
    return resultOf(method, answer!)
  }
  const isFirst = each.health.answeredMs === null || each.health.failure !== null
  try {
    const [chainId, height] = [Number(await ask('eth_chainId')), Number(await ask('eth_blockNumber'))]
    const first = (await ask('eth_getBlockByNumber', ['0x0', false]).catch(() => null)) as { hash?: Hex } | null
    each.health = healthAfterAnswer(each.health, { chainId, height, genesisHash: first?.hash ?? null }, Date.now())
    if (!isFirst) return
    each.client = String(await ask('web3_clientVersion').catch(() => 'unknown'))
    if (each.client !== 'unknown') onClient(each.client)
  } catch (error) {
    if (!signal.aborted) each.health = healthAfterFailure(each.health, (error as Error).message)
  }
}

function resultOf(method: string, answer: Answer): unknown {
  if (answer.type === 'result') return answer.result
  throw new Error(`${method}: ${answer.message}`)
}

function watchOf(watched: readonly Watched[], limits: HealthLimits): NodeWatch {
  const found = () => watched.map(({ name, health }) => ({ name, problem: problemOf(health, limits, Date.now()) }))
  return {
    problems() {
      const all = found()
      if (all.some(({ problem }) => problem === undefined)) return []
      return all.map(({ name, problem }) => `the node ${name} cannot be relied on: ${problem}`)
    },
    status: () =>
      watched.map(({ name, client, health: { answeredMs, height } }, index) => ({
        url: name,
        client,
        answerAgeMs: answeredMs === null ? null : Date.now() - answeredMs,
        height,
        problem: found()[index]!.problem ?? null,
      })),
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
