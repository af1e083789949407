// Asks again for the traces of blocks that were stored without all of them, the highest first. It ends with a block whose state the node
// has thrown away, since it has no older state either, and after some attempts at each of the others.
import { LRUCache } from 'lru-cache'
import { countTraceGaps, replaceTraces, traceGapsBelow } from '../../store/chain/trace-repair.ts'
import type { Database } from '../../store/engine/database.ts'
import { blockHashAt } from '../../store/read/chain-state.ts'
import { isMissingStateText } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'
import { profileText } from '../../upstream/node/profile.ts'
import { deriveBlock } from '../derive/derive.ts'

export type TraceRepairProgress = {
  /** Blocks whose internal transactions are not all known. */
  readonly blocks: number
  /** Blocks whose traces came later, since the start of the process. */
  readonly repaired: number
  /** Why the rest stays as it is; null while it is being asked for, or nothing is missing. */
  readonly ended: string | null
}

export const noTraceRepair: TraceRepairProgress = { blocks: 0, repaired: 0, ended: null }

export type TraceRepairParts = {
  readonly node: Pick<Node, 'block' | 'probe'>
  readonly database: Database
  readonly onChanged: (addresses: readonly `0x${string}`[]) => void
}

export type TraceRepair = {
  /** One block. Nothing may be written to the chain meanwhile. Returns whether there is more to do now. */
  step(signal: AbortSignal): Promise<boolean>
  progress(): TraceRepairProgress
}

const MOST_ATTEMPTS = 3
const MOST_COUNTED = 10_000
const PAUSE_MS = 30_000
const NO_LIMIT = Number.MAX_SAFE_INTEGER

export function createTraceRepair({ node, database, onChanged }: TraceRepairParts): TraceRepair {
  const attempts = new LRUCache<number, number>({ max: MOST_COUNTED })
  let progress = noTraceRepair
  let below = NO_LIMIT
  /** At and below this height the node has no state. */
  let floor = -1
  /** What the node could do when that was found out. */
  let abilities = ''
  let nextPassMs = 0

  const endPass = (): false => {
    below = NO_LIMIT
    nextPassMs = performance.now() + PAUSE_MS
    return false
  }

  const nextHeight = async (): Promise<number | undefined> => {
    for (;;) {
      const [height] = await traceGapsBelow(database, below, 1)
      if (height === undefined || height <= floor) return undefined
      below = height
      if ((attempts.get(height) ?? 0) < MOST_ATTEMPTS) return height
    }
  }

  const repairBlock = async (height: number, signal: AbortSignal): Promise<void> => {
    const block = await node.block(height, signal)
    if (block === null || block.hash !== (await blockHashAt(database, height))) return
    const { block: row, transactions, internals, traceGaps, created, participants } = deriveBlock(block)
    if (block.traces === null && isMissingStateText(block.noTracesReason ?? '')) floor = height
    if (traceGaps.length > 0 && !isBetter(traceGaps)) {
      attempts.set(height, (attempts.get(height) ?? 0) + 1)
      return
    }
    const touched = [...participants]
    await replaceTraces(database, { block: row, transactions, internals, traceGaps, contracts: created, touched })
    onChanged(touched)
    attempts.set(height, MOST_ATTEMPTS)
    progress = { ...progress, repaired: progress.repaired + 1 }
  }

  return {
    progress: () => progress,
    async step(signal) {
      if (performance.now() < nextPassMs) return false
      const profile = await node.probe(signal)
      const { traces } = profile
      // Another node may have what the last one did not.
      if (profileText(profile) !== abilities) {
        abilities = profileText(profile)
        floor = -1
        attempts.clear()
      }
      const blocks = await countTraceGaps(database)
      if (blocks === 0) {
        progress = { ...progress, blocks, ended: null }
        return false
      }
      if (traces.method === null) {
        progress = { ...progress, blocks, ended: traces.reason }
        return endPass()
      }
      const height = await nextHeight()
      if (height === undefined) {
        const reason =
          floor >= 0 ? `the node has no state of block ${floor} and before` : 'the node gives no whole trace'
        progress = { ...progress, blocks, ended: reason }
        return endPass()
      }
      await repairBlock(height, signal)
      progress = { ...progress, blocks: await countTraceGaps(database), ended: null }
      return true
    },
  }
}

/** Traces with a frame that cannot be read are more than none at all. */
function isBetter(gaps: readonly { readonly transactionIndex: number }[]): boolean {
  return gaps.every(({ transactionIndex }) => transactionIndex >= 0)
}
