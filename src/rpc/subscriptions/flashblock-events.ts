// Subscriber events of the pending chain: what is new between one view and the next. When a preconfirmation is broken, its logs are sent
// again with `removed: true`, as a reorg does with the logs of canonical blocks.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { RpcLog } from '../../chain/rpc/types.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import { blockWithTransactions, headerOf, receiptAt, transactionAt } from '../state/block-json.ts'
import type { RpcState } from '../state/rpc-state.ts'
import type { StreamedTransaction } from './flashblock-stream.ts'
import type { NewTransaction, SubscriberEvent } from './subscriptions.ts'

export type FlashblockEvents = {
  /**
   * The events of the kinds that somebody wants, in the order in which they are sent. Receipts and logs are those of the view that was
   * executed last: no log is sent before its state can be read.
   */
  after(
    newest: PendingView,
    wants: (kind: SubscriberEvent['kind']) => boolean,
    executed?: PendingView,
  ): readonly SubscriberEvent[]
}

/** Stores the transactions that it published until their block is canonical. */
export function createFlashblockEvents({
  latest,
  blockCache,
}: Pick<RpcState, 'latest' | 'blockCache'>): FlashblockEvents {
  let tipHash: Hex | null = null
  let published = new Map<Hex, Published>()

  /** What was added to the pending chain since the last view, and what is no longer in it. */
  const compare = (
    view: PendingView,
  ): { readonly added: readonly Published[]; readonly gone: readonly Published[] } => {
    const next = new Map<Hex, Published>()
    const added: Published[] = []
    for (const block of view.chain.blocks) {
      for (const [index, { recovered, outcome }] of block.transactions.entries()) {
        const before = published.get(recovered.hash)
        if (before?.block.payloadId === block.payloadId) next.set(recovered.hash, before)
        else if (outcome !== null) {
          next.set(recovered.hash, { block, index })
          added.push({ block, index })
        }
      }
    }
    const gone = [...published]
      .filter(([hash, each]) => next.get(hash) !== each && !isConfirmed(view, hash, each))
      .map(([, each]) => each)
    published = next
    return { added, gone }
  }

  return {
    after(newest, wants, executed = newest) {
      const { added, gone } = compare(executed)
      const { tip } = newest.snapshot
      const isNewTip = tip !== null && tip.hash !== tipHash
      if (tip !== null) tipHash = tip.hash
      const events: SubscriberEvent[] = []
      if (gone.length > 0 && wants('pendingLogs')) events.push({ kind: 'pendingLogs', logs: gone.flatMap(removedLogs) })
      if (isNewTip && wants('newFlashblocks')) {
        events.push({ kind: 'newFlashblocks', text: blockWithTransactions(blockCache, tip).text })
      }
      if (isNewTip && wants('flashblocks')) {
        events.push({ kind: 'flashblocks', header: JSON.stringify(headerOf(tip)), transactions: [] })
      }
      if (isNewTip && latest === 'preconfirmed' && wants('newHeads')) {
        events.push({ kind: 'newHeads', text: JSON.stringify(headerOf(tip)) })
      }
      if (added.length > 0 && wants('newFlashblockTransactions')) {
        events.push({ kind: 'newFlashblockTransactions', transactions: added.map(withReceipt) })
      }
      if (added.length > 0 && wants('flashblocks')) {
        events.push({ kind: 'flashblocks', header: undefined, transactions: added.map(streamed) })
      }
      if (added.length > 0 && wants('pendingLogs')) {
        events.push({ kind: 'pendingLogs', logs: added.flatMap(logsOfOne) })
      }
      return events
    },
  }
}

/** A transaction and the block that it was in when it was published. */
type Published = { readonly block: PendingBlock; readonly index: number }

/** Whether the block is canonical and contains the transaction as it was preconfirmed. */
function isConfirmed({ chain }: PendingView, hash: Hex, { block }: Published): boolean {
  if (chain.canonical === null || block.header.number > chain.canonical.height) return false
  const settlement = chain.settlements.findLast(({ payloadId }) => payloadId === block.payloadId)
  if (settlement === undefined) return false
  return !settlement.differences.some(({ transaction, type }) => transaction === hash && type !== 'gas')
}

function withReceipt({ block, index }: Published): NewTransaction {
  const { logs, gasUsed, status, cumulativeGasUsed, contractAddress, logsBloom } = receiptAt(block, index)!
  const receiptFields = { gasUsed, status, cumulativeGasUsed, contractAddress, logsBloom, logs }
  return { ...transactionAt(block, index)!, ...receiptFields } as NewTransaction
}

function streamed({ block, index }: Published): StreamedTransaction {
  return { transaction: transactionAt(block, index)!, receipt: receiptAt(block, index)! }
}

function logsOfOne({ block, index }: Published): readonly RpcLog[] {
  return receiptAt(block, index)?.logs ?? []
}

function removedLogs(each: Published): readonly RpcLog[] {
  return logsOfOne(each).map((log) => ({ ...log, removed: true }))
}
