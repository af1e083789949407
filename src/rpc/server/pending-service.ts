// Follows feed and node, keeps the pending chain, and answers JSON-RPC from it, until it is stopped. Never touches SQL.
import type { Hex } from '../../chain/bytes/hex.ts'
import { Failure } from '../../contract/failure.ts'
import { loadPrecompiles } from '../../evm/precompiles/table.ts'
import { createLru } from '../../lib/cache/lru.ts'
import { answerJsonRpc } from '../../lib/json/json-rpc.ts'
import { createExecutor } from '../../pending/executor.ts'
import { createForkRules } from '../../pending/fork-rules.ts'
import { createLivePendingChain } from '../../pending/live-pending-chain.ts'
import type { SealedBlock } from '../../pending/sealed-block.ts'
import { outgoingText } from '../../relay/outgoing-flashblock.ts'
import { createFeed } from '../../upstream/feed/feed.ts'
import { createNode } from '../../upstream/node/node.ts'
import type { PendingListener } from './channel.ts'
import { rpcErrorOf } from './dispatch.ts'
import { followUpstreams } from './follow-upstreams.ts'
import { createLedgerRecorder } from './ledger-events.ts'
import { createRpcServer, type RpcAnswer, type RpcServer } from './server.ts'
import { createCounting, type PendingStatus, statusOf } from './status.ts'
import type { PendingServiceOptions } from './worker-messages.ts'

export type PendingService = Pick<RpcServer, 'answer'> & {
  /** Null until the chain's id is known. */
  status(): PendingStatus | null
  stop(): void
  /** Settles when it has stopped; throws what broke it. */
  readonly ended: Promise<void>
}

/** Nobody waits longer for state, or for an answer that is the node's own. */
const STATE_PATIENCE_MS = 2_000
const ANSWER_PATIENCE_MS = 10_000
/** Canonical blocks at hand, should their flashblocks not have told all of them. */
const SEALED_REMEMBERED = 16

export function startPendingService(
  options: PendingServiceOptions,
  listener: Omit<PendingListener, 'onDeath'>,
): PendingService {
  const { log } = listener
  const stopping = new AbortController()
  const { signal } = stopping
  const urls = options.nodeUrls
  // Three, so that no kind of question waits behind another: blocks, state, and what clients ask.
  const node = createNode({ urls, log, wantsTraces: false })
  const stateNode = createNode({ urls, log, wantsTraces: false, giveUpAfterMs: STATE_PATIENCE_MS })
  const answering = { giveUpAfterMs: ANSWER_PATIENCE_MS, maxConcurrency: 64 }
  const answeringNode = createNode({ urls, log, wantsTraces: false, ...answering })
  let rpc: Pick<RpcServer, 'answer'> = NOT_READY
  let status: () => PendingStatus | null = () => null

  const run = async (): Promise<void> => {
    await loadPrecompiles()
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
    const pendingChain = createLivePendingChain({
      rules: { rulesOf: rules.rulesOf, staleMs: options.staleMs },
      executor: feed === null ? null : executor,
      signal,
      onBug: (error) => log.error({ error }, 'bug in the executor'),
    })
    const onEvents = listener.onLedgerEvents ?? (() => {})
    const ledger = createLedgerRecorder({ pendingChain, node, log, onEvents })
    const ready = createRpcServer({
      pendingChain,
      node: answeringNode,
      ledger: ledger.stages,
      chainId,
      rulesOf: rules.rulesOf,
      latest: options.latest,
      limits: { gasCap: options.gasCap, callTimeoutMs: options.callTimeoutMs },
      log,
    })
    rpc = ready
    status = () => statusOf({ pendingChain, feed, node }, counting)
    try {
      await followUpstreams(
        {
          pendingChain,
          node,
          feed,
          rules,
          counting,
          ledger,
          log,
          onCanonical: (block) => sealed.set(block.hash, block),
          onFlashblock: ({ message, receivedMs }) => listener.onFlashblock(outgoingText(message), receivedMs),
          onProcessed: listener.onProcessed,
        },
        signal,
      )
    } finally {
      ready.stop()
    }
  }

  /** Everything else can be answered later; without it nothing can be executed. */
  const askedChainId = async (): Promise<number> => {
    for (;;) {
      try {
        return (await node.probe(signal)).chainId
      } catch (error) {
        signal.throwIfAborted()
        log.warn({ reason: (error as Error).message }, 'the node does not answer yet')
      }
    }
  }

  const runToEnd = async (): Promise<void> => {
    try {
      await run()
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      for (const each of [node, stateNode, answeringNode]) each.close()
    }
  }

  return {
    answer: (text, connection) => rpc.answer(text, connection),
    status: () => status(),
    stop: () => stopping.abort(),
    ended: runToEnd(),
  }
}

/** Refuses everything, with the id it came with. */
const NOT_READY: Pick<RpcServer, 'answer'> = {
  async answer(text): Promise<RpcAnswer> {
    const refuse = (): never => {
      throw rpcErrorOf(new Failure('notReady', 'Service temporarily unavailable: the node has not answered yet.'))
    }
    const server = { call: refuse, onBug: refuse, maxBatch: 1_000, maxResponseChars: 1_000_000 }
    return { text: await answerJsonRpc(server, text), ageMs: null }
  },
}
