// What is new between one view and the next, for those who subscribed. A preconfirmation that is broken takes its logs back
// (`removed: true`), as a reorg does with those of canonical blocks.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { RpcLog, RpcTransaction } from '../../chain/rpc/types.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import { blockWithTransactions, headerOf, receiptAt, transactionAt } from '../state/pending-views.ts'

export type SubscriberEvent =
  | { readonly kind: 'newHeads' | 'newFlashblocks'; readonly text: string }
  | { readonly kind: 'newFlashblockTransactions'; readonly transactions: readonly NewTransaction[] }
  | { readonly kind: 'logs' | 'pendingLogs'; readonly logs: readonly RpcLog[] }

export type NewTransaction = RpcTransaction & Readonly<Record<string, unknown>>

export type FlashblockEvents = {
  /** Of the kinds that somebody wants, in the order in which they are to be heard. */
  after(view: PendingView, wants: (kind: SubscriberEvent['kind']) => boolean): readonly SubscriberEvent[]
}

/** Remembers what it has told, as far as it is still to be kept or broken. */
export function createFlashblockEvents({
  latest,
}: {
  readonly latest: 'canonical' | 'preconfirmed'
}): FlashblockEvents {
  let tipHash: Hex | null = null
  let told = new Map<Hex, Told>()

  return {
    after(view, wants) {
      const { chain } = view
      const next = new Map<Hex, Told>()
      const added: Told[] = []
      for (const block of chain.blocks) {
        for (const [index, { recovered, outcome }] of block.transactions.entries()) {
          const before = told.get(recovered.hash)
          const isSame = before?.block.payloadId === block.payloadId
          if (isSame) next.set(recovered.hash, before)
          else if (outcome !== null) {
            next.set(recovered.hash, { block, index })
            added.push({ block, index })
          }
        }
      }
      const gone = [...told].flatMap(([hash, each]) =>
        next.get(hash) === each || isKept(view, hash, each) ? [] : [each],
      )
      told = next
      const { tip } = view.snapshot
      const isNewTip = tip !== null && tip.hash !== tipHash
      if (tip !== null) tipHash = tip.hash
      const news: SubscriberEvent[] = []
      if (gone.length > 0 && wants('pendingLogs')) news.push({ kind: 'pendingLogs', logs: gone.flatMap(removedLogs) })
      if (isNewTip && wants('newFlashblocks')) {
        news.push({ kind: 'newFlashblocks', text: blockWithTransactions(tip).text })
      }
      if (isNewTip && latest === 'preconfirmed' && wants('newHeads')) {
        news.push({ kind: 'newHeads', text: JSON.stringify(headerOf(tip)) })
      }
      if (added.length > 0 && wants('newFlashblockTransactions')) {
        news.push({ kind: 'newFlashblockTransactions', transactions: added.map(withOutcome) })
      }
      if (added.length > 0 && wants('pendingLogs')) {
        news.push({ kind: 'pendingLogs', logs: added.flatMap(logsOfOne) })
      }
      return news
    },
  }
}

/** Where it stood when it was told. */
type Told = { readonly block: PendingBlock; readonly index: number }

/** Its block is canonical, and nothing of it changed. */
function isKept({ chain }: PendingView, hash: Hex, { block }: Told): boolean {
  if (chain.canonical === null || block.header.number > chain.canonical.height) return false
  const settlement = chain.settlements.findLast(({ payloadId }) => payloadId === block.payloadId)
  if (settlement === undefined) return false
  return !settlement.differences.some(({ transaction, type }) => transaction === hash && type !== 'gas')
}

function withOutcome({ block, index }: Told): NewTransaction {
  const { logs, gasUsed, status, cumulativeGasUsed, contractAddress, logsBloom } = receiptAt(block, index)!
  const outcome = { gasUsed, status, cumulativeGasUsed, contractAddress, logsBloom, logs }
  return { ...transactionAt(block, index)!, ...outcome } as NewTransaction
}

function logsOfOne({ block, index }: Told): readonly RpcLog[] {
  return receiptAt(block, index)?.logs ?? []
}

function removedLogs(each: Told): readonly RpcLog[] {
  return logsOfOne(each).map((log) => ({ ...log, removed: true }))
}
