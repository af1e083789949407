// The chain and its server share a thread, and blocks must be made in time: long work is done in turns.
import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_TURN_MS = 20

let beganMs = performance.now()

/** To be awaited between two pieces of work: comes back at once, or after everybody else if the turn was long enough. */
export async function takeTurns(): Promise<void> {
  if (performance.now() - beganMs < MAX_TURN_MS) return
  await nextTurn()
  beganMs = performance.now()
}
