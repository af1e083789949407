// The chain and its server share a thread, and blocks must be built in time, so long work is split into time slices.
import { setImmediate as nextRound } from 'node:timers/promises'

const MAX_SLICE_MS = 20

let beganMs = performance.now()

/** Await it between two pieces of work. It returns at once, or after other work if the time slice is used up. */
export async function yieldWhenSliceIsUsed(): Promise<void> {
  if (performance.now() - beganMs < MAX_SLICE_MS) return
  await nextRound()
  beganMs = performance.now()
}
