// The repair in the background: traces first, since they say whose balances must be read, then balances. It works in small steps between
// the blocks, and rests while there is nothing to do.
import type { Mutex } from '../../lib/async/semaphore.ts'
import { sleep, type WakeSignal } from '../../lib/async/wait.ts'
import { type BalanceRepairParts, type BalanceRepairProgress, createBalanceRepair } from './balance-repair.ts'
import { createTraceRepair, type TraceRepairParts, type TraceRepairProgress } from './trace-repair.ts'

export type RepairProgress = { readonly balances: BalanceRepairProgress; readonly traces: TraceRepairProgress }

export type RepairOptions = BalanceRepairParts &
  TraceRepairParts & {
    /** Held while blocks are written at the head. */
    readonly betweenBlocks: Mutex
    /** A block was written. */
    readonly written: WakeSignal
    readonly onProgress: (progress: RepairProgress) => void
  }

const LOOK_EVERY_MS = 1_000
/** So that blocks at the head never wait long. */
const PAUSE_MS = 5

export async function repairInBackground(options: RepairOptions, signal: AbortSignal): Promise<void> {
  const balances = createBalanceRepair(options)
  const traces = createTraceRepair(options)
  let reported = ''
  while (!signal.aborted) {
    const hasMoreTraces = await options.betweenBlocks(() => traces.step(signal))
    const hasMore = await options.betweenBlocks(() => balances.step(signal))
    const progress = { balances: balances.progress(), traces: traces.progress() }
    const text = JSON.stringify(progress)
    if (text !== reported) options.onProgress(progress)
    reported = text
    if (hasMore || hasMoreTraces) await sleep(PAUSE_MS, signal)
    else await options.written.wait(LOOK_EVERY_MS, signal)
  }
}
