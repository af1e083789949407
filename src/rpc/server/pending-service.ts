// Follows feed and node, maintains the pending chain, and answers JSON-RPC from it, until it is stopped. It never uses SQL.

import { LRUCache } from 'lru-cache'
import { type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import type { ForkSchedule } from '../../chain/rules/forks.ts'
import { Failure } from '../../contract/failure.ts'
import { loadPrecompiles } from '../../evm/precompiles/table.ts'
import { answerJsonRpc } from '../../lib/json/json-rpc.ts'
import type { Log } from '../../lib/log.ts'
import type { BucketRule } from '../../lib/numbers/token-bucket.ts'
import { createExecutor } from '../../pending/executor.ts'
import { createForkRules } from '../../pending/fork-rules.ts'
import { createLivePendingChain } from '../../pending/live-pending-chain.ts'
import type { AskNode } from '../../pending/node-state.ts'
import { type SealedBlock, sealedBlockFrom } from '../../pending/sealed-block.ts'
import { createStepBack } from '../../pending/step-back.ts'
import type { LedgerEvent } from '../../preconfirmations/ledger.ts'
import { type OutgoingText, outgoingText } from '../../relay/outgoing-flashblock.ts'
import { createFeed } from '../../upstream/feed/feed.ts'
import { createNode } from '../../upstream/node/node.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import { followPoolHashes } from '../../upstream/node/pool-hashes.ts'
import { createRpcState } from '../state/rpc-state.ts'
import { followUpstreams } from './follow-upstreams.ts'
import { createLedgerRecorder } from './ledger-events.ts'
import { createRpcServer, type RpcAnswer, type RpcServer, rpcErrorOf } from './server.ts'
import { createCounting, type PendingStatus, statusOf } from './status.ts'

/** Plain data, because it may go to a worker. */
export type PendingServiceOptions = {
  readonly nodeUrls: readonly string[]
  /** Null: no feed is followed, and `pending` means the node's head. */
  readonly feedUrls: readonly string[] | null
  /** Null: derived from the observed interval of flashblocks. */
  readonly staleMs: number | null
  readonly latest: 'canonical' | 'preconfirmed'
  readonly holdsReceipts: boolean
  /** Null: derived from the blocks. */
  readonly schedule: ForkSchedule | null
  readonly gasCap: bigint
  readonly callTimeoutMs: number
  /** What one client may make this thread do; null means no limit. */
  readonly work: BucketRule | null
}

export type PendingListener = {
  readonly log: Log
  /** Every flashblock once, in order. */
  readonly onFlashblock: (flashblock: OutgoingText) => void
  /** The time from a flashblock's WebSocket frame to the view that contains it. */
  readonly onProcessed: (ms: number) => void
  readonly onLedgerEvents?: (events: readonly LedgerEvent[]) => void
  /** The service ended although nobody stopped it. */
  readonly onDeath: (cause: Error) => void
}

export type PendingService = Pick<RpcServer, 'answer'> & {
  /** Null until the chain id is known. */
  status(): PendingStatus | null
  stop(): void
  /** Resolves when the service has stopped; rejects with the error that ended it. */
  readonly ended: Promise<void>
}

const STATE_TIMEOUT_MS = 2_000
const ANSWER_TIMEOUT_MS = 10_000
/** Canonical blocks that the executor can run if it did not get all their flashblocks. */
const MAX_SEALED_BLOCKS = 16

export function startPendingService(
  options: PendingServiceOptions,
  listener: Omit<PendingListener, 'onDeath'>,
): PendingService {
  const { log } = listener
  const stopping = new AbortController()
  const { signal } = stopping
  const common = { urls: options.nodeUrls, log, wantsTraces: false }
  // Three clients of the node, so that blocks, state and the calls of our clients do not wait for each other.
  const node = createNode(common)
  const stateNode = createNode({ ...common, giveUpAfterMs: STATE_TIMEOUT_MS })
  const answeringNode = createNode({ ...common, giveUpAfterMs: ANSWER_TIMEOUT_MS, maxConcurrency: 64 })
  let server: Pick<RpcServer, 'answer'> = NOT_READY
  let status: () => PendingStatus | null = () => null

  const run = async (): Promise<void> => {
    await loadPrecompiles()
    const ask: AskNode = (calls, until) => stateNode.batch(calls, until)
    const rules = createForkRules({ schedule: options.schedule, ask })
    const counting = createCounting()
    const feed = options.feedUrls === null ? null : createFeed({ urls: options.feedUrls, log })
    const chainId = BigInt(await untilChainId())
    const stepBack = createStepBack({
      unknownAt: rules.unknownAt,
      onStepBack: (first) =>
        log.warn({ first }, 'pending chain: blocks cannot be reproduced, so the node answers for state'),
    })
    const sealed = new LRUCache<Hex, SealedBlock>({ max: MAX_SEALED_BLOCKS })
    const executor = createExecutor({
      sealed: (hash) => sealed.get(hash),
      ask,
      rulesOf: rules.rulesOf,
      reconsiderRules: rules.reconsider,
      onSealedRun: stepBack.sealedRun,
      chainId,
    })
    const pendingChain = createLivePendingChain({
      rules: { rulesOf: rules.rulesOf, staleMs: options.staleMs },
      executor: feed === null ? null : stepBack.cautious(executor),
      signal,
      onBug: (error) => log.error({ error }, 'pending chain: the executor failed with a bug'),
    })
    const onEvents = listener.onLedgerEvents ?? (() => {})
    const ledger = createLedgerRecorder({ pendingChain, node, log, onEvents })
    const state = createRpcState({
      pendingChain,
      node: answeringNode,
      poolHashes: (onHash, until) => followPoolHashes({ urls: options.nodeUrls }, onHash, until),
      feedStatus: () => feed?.status() ?? null,
      ledger: ledger.stages,
      chainId,
      rulesOf: rules.rulesOf,
      latest: options.latest,
      holdsReceipts: options.holdsReceipts,
      limits: { gasCap: options.gasCap, callTimeoutMs: options.callTimeoutMs, work: options.work },
      log,
    })
    server = createRpcServer(state)
    status = () => statusOf({ pendingChain, feed, node, reproduction: stepBack.reproduction() }, counting)
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
          onCanonical: (block) => {
            const whole = sealedBlockFrom(block)
            if (!('unknownType' in whole)) sealed.set(block.hash, whole)
            else if (feed !== null) stepBack.cannotRun(unknownTypeIn(block, whole.unknownType))
          },
          onFlashblock: ({ message, gapAfter }) => listener.onFlashblock(outgoingText(message, gapAfter)),
          onProcessed: listener.onProcessed,
        },
        signal,
      )
    } finally {
      state.stop()
    }
  }

  /** Nothing can be executed without the chain id, so this asks until the node answers. */
  const untilChainId = async (): Promise<number> => {
    for (;;) {
      try {
        return (await node.probe(signal)).chainId
      } catch (error) {
        signal.throwIfAborted()
        log.warn({ reason: (error as Error).message }, 'pending chain: the node does not answer yet')
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
    answer: (text, caller, connection) => server.answer(text, caller, connection),
    status: () => status(),
    stop: () => stopping.abort(),
    ended: runToEnd(),
  }
}

function unknownTypeIn({ hash, header }: NodeBlock, type: number) {
  return { height: header.number, hash, reason: `transaction type ${toQuantity(type)} is unknown` }
}

/** Refuses every request with the id that it came with. */
const NOT_READY: Pick<RpcServer, 'answer'> = {
  async answer(text): Promise<RpcAnswer> {
    const refuse = (): never => {
      throw rpcErrorOf(new Failure('notReady', 'Service temporarily unavailable: the node has not answered yet.'))
    }
    const refusing = { call: refuse, onBug: refuse, maxBatch: 1_000, maxResponseChars: 1_000_000 }
    return { text: await answerJsonRpc(refusing, text), ageMs: undefined, work: undefined }
  },
}
