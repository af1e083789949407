// The ledger of preconfirmations in the pending thread: events go in with their time, changes go out in batches.
import type { Hex } from '../../chain/bytes/hex.ts'
import { sleep } from '../../lib/async/wait.ts'
import type { Log } from '../../lib/log.ts'
import type { CanonicalBlock } from '../../pending/compare-with-sealed.ts'
import type { LivePendingChain } from '../../pending/live-pending-chain.ts'
import { createLedger, type LedgerEvent } from '../../preconfirmations/ledger.ts'
import type { StagedRecord } from '../../preconfirmations/transaction-records.ts'
import type { FeedFlashblock } from '../../upstream/feed/feed.ts'
import { NodeUnavailable } from '../../upstream/node/failures.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { TransactionStages } from '../state/rpc-state.ts'

export type LedgerRecorder = {
  /** Before the pending chain takes it. */
  flashblock(received: FeedFlashblock): void
  /** After the pending chain took a flashblock. */
  announced(receivedMs: number): void
  /** Before the pending chain takes it. */
  canonical(block: CanonicalBlock): void
  /** Looks at the node's tags until the signal ends. Never throws for what the node does. */
  followTags(signal: AbortSignal): Promise<void>
  /** For the JSON-RPC. */
  readonly stages: TransactionStages
}

export type LedgerRecorderParts = {
  readonly pendingChain: LivePendingChain
  readonly node: Pick<Node, 'tagHeights'>
  readonly log: Log
  readonly onEvents: (events: readonly LedgerEvent[]) => void
}

const TAGS_EVERY_MS = 1_000

export function createLedgerRecorder({ pendingChain, node, log, onEvents }: LedgerRecorderParts): LedgerRecorder {
  const ledger = createLedger()
  const takeChain = (atMs: number): void => ledger.take({ type: 'chain', chain: pendingChain.chain(), atMs })
  let waiting: LedgerEvent[] = []
  const send = (): void => {
    const events = waiting
    waiting = []
    onEvents(events)
  }
  ledger.on((events) => {
    // One message for all events of one round of the event loop.
    if (waiting.length === 0) setImmediate(send)
    waiting.push(...events)
  })
  // A view can have receipts that the chain had not.
  pendingChain.on(() => takeChain(Date.now()))

  return {
    flashblock: ({ flashblock, message, receivedMs }) =>
      ledger.take({ type: 'flashblock', flashblock, message, receivedMs }),
    announced: takeChain,
    canonical(block) {
      const atMs = Date.now()
      takeChain(atMs)
      ledger.take({ type: 'canonical', block, atMs })
    },
    async followTags(signal) {
      while (!signal.aborted) {
        try {
          const { safe, finalized } = await node.tagHeights(signal)
          ledger.take({ type: 'tags', safe, finalized, atMs: Date.now() })
        } catch (error) {
          if (signal.aborted) return
          if (!(error instanceof NodeUnavailable)) throw error
          log.debug({ reason: error.message }, 'the tags of the node are not known')
        }
        await sleep(TAGS_EVERY_MS, signal).catch(() => undefined)
      }
    },
    stages: {
      seen: (sent) => ledger.take({ type: 'seen', ...sent }),
      stagesOf(hash: Hex) {
        const stages = ledger.stagesOf(hash)
        return stages === null ? null : stagesToRpc(stages)
      },
    },
  }
}

/** Times in Unix milliseconds; null for what has not happened. */
function stagesToRpc({ record, stage, safeMs, finalizedMs }: StagedRecord) {
  return {
    hash: record.hash,
    stage,
    seenMs: record.seenMs,
    seenBy: record.seenBy,
    preconfirmed: record.preconfirmation,
    included: record.inclusion,
    safeMs,
    finalizedMs,
    droppedMs: record.droppedMs,
    verdict: record.verdict,
    changes: record.changes,
    past: record.past,
  }
}
