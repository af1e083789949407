// The chain and its server share a thread, and blocks must be made in time, so long work is split into time slices.
import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_TURN_MS = 20

let beganMs = performance.now()

/** Await it between two pieces of work. It returns at once, or after other work if the time slice is used up. */
export async function takeTurns(): Promise<void> {
  if (performance.now() - beganMs < MAX_TURN_MS) return
  await nextTurn()
  beganMs = performance.now()
}
