// The program of the pending thread: follows feed and node, keeps the pending chain, and answers JSON-RPC from it. Never touches SQL.
import { parentPort, workerData } from 'node:worker_threads'
import { pino, stdSerializers } from 'pino'
import type { Hex } from '../chain/hex.ts'
import { loadPrecompiles } from '../evm/precompiles/table.ts'
import { createExecutor } from '../flashblocks/executor.ts'
import { outgoingText } from '../flashblocks/hub/outgoing.ts'
import { createPreconfirmations } from '../flashblocks/preconfirmations.ts'
import type { SealedBlock } from '../flashblocks/sealed-block.ts'
import { createLru } from '../lib/lru.ts'
import { createFeed } from '../upstream/feed.ts'
import { createNode } from '../upstream/node.ts'
import { createRpc } from './rpc.ts'
import { createConnections } from './thread/connections.ts'
import { followUpstreams } from './thread/follow-upstreams.ts'
import { createForkRules } from './thread/fork-rules.ts'
import { createOutbox } from './thread/outbox.ts'
import type { FromThread, ThreadInput, ToThread } from './thread/protocol.ts'
import { createCounting, statusOf } from './thread/status.ts'
import { createThreadAccount } from './thread/thread-account.ts'

const { options, logLevel } = workerData as ThreadInput
const parent = parentPort!
const tell = (message: FromThread) => parent.postMessage(message)

const log = pino(
  {
    level: logLevel,
    base: null,
    timestamp: false,
    formatters: { level: (level) => ({ level }) },
    serializers: { error: stdSerializers.err },
  },
  { write: (line: string) => tell({ type: 'log', line }) },
)

/** Nobody waits longer for state, or for an answer that is the node's own. */
const STATE_PATIENCE_MS = 2_000
const ANSWER_PATIENCE_MS = 10_000
const STATUS_EVERY_MS = 250
/** Canonical blocks at hand, should their flashblocks not have told all of them. */
const SEALED_REMEMBERED = 16

const stopping = new AbortController()
const { signal } = stopping
const urls = options.nodeUrls
// Three, so that no kind of question waits behind another: blocks, state, and what clients ask.
const node = createNode({ urls, log, wantsTraces: false })
const stateNode = createNode({ urls, log, wantsTraces: false, patienceMs: STATE_PATIENCE_MS })
const answeringNode = createNode({ urls, log, wantsTraces: false, patienceMs: ANSWER_PATIENCE_MS, maxConcurrency: 64 })

const main = async (): Promise<void> => {
  const rules = createForkRules(options.schedule)
  const counting = createCounting()
  const feed = options.feedUrls === null ? null : createFeed({ urls: options.feedUrls, log })
  const chainId = BigInt(await askedChainId())
  const sealed = createLru<Hex, SealedBlock>(SEALED_REMEMBERED)
  const executor = createExecutor({
    sealed: sealed.get,
    ask: (calls, until) => stateNode.batch(calls, until),
    rulesOf: rules.rulesOf,
    chainId,
  })
  const preconfirmations = createPreconfirmations({
    rules: { rulesOf: rules.rulesOf, staleMs: options.staleMs },
    executor: feed === null ? null : executor,
    signal,
    onBug: (error) => log.error({ error }, 'bug in the executor'),
  })
  const account = createThreadAccount({
    preconfirmations,
    node,
    log,
    onEvents: (events) => tell({ type: 'account', events }),
  })
  const rpc = createRpc({
    preconfirmations,
    node: answeringNode,
    account: account.stages,
    chainId,
    rulesOf: rules.rulesOf,
    latest: options.latest,
    limits: { gasCap: options.gasCap, callTimeoutMs: options.callTimeoutMs },
    log,
  })
  connections.serve(rpc)
  const tellStatus = () => tell({ type: 'status', status: statusOf({ preconfirmations, feed, node }, counting) })
  const telling = setInterval(tellStatus, STATUS_EVERY_MS)
  tellStatus()
  try {
    await followUpstreams(
      {
        preconfirmations,
        node,
        feed,
        rules,
        counting,
        account,
        log,
        onCanonical: (block) => sealed.set(block.hash, block),
        onFlashblock: ({ message, receivedMs }) =>
          tell({ type: 'flashblock', flashblock: outgoingText(message), receivedMs }),
        onProcessed: (ms) => tell({ type: 'processed', ms }),
      },
      signal,
    )
  } finally {
    clearInterval(telling)
    rpc.stop()
  }
}

/** Everything else can be answered later; without it nothing can be executed. */
async function askedChainId(): Promise<number> {
  for (;;) {
    try {
      return (await node.probe(signal)).chainId
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ reason: (error as Error).message }, 'the node does not answer yet')
    }
  }
}

const connections = createConnections(createOutbox((told) => tell({ type: 'clients', told })))
parent.on('message', (message: ToThread) => {
  if (message.type === 'stop') stopping.abort()
  else connections.take(message)
})
try {
  await loadPrecompiles()
  await main()
} catch (error) {
  if (!signal.aborted) throw error
} finally {
  for (const each of [node, stateNode, answeringNode]) each.close()
  parent.close()
}
