// The pending chain and all requests share one thread, so work that has run for one time slice lets the event loop do a round.
import { setImmediate as nextRound } from 'node:timers/promises'

/** About the longest time that a flashblock waits behind a call. */
export const TIME_SLICE_MS = 4

export type TimeSlice = {
  /** Undefined: the slice is not used up, go on now. Calls behind one that waits keep their order. */
  pauseIfUsedUp(): Promise<void> | undefined
}

export function createTimeSlice(): TimeSlice {
  let startMs = performance.now()
  let last: Promise<void> | undefined
  const isUsedUp = (): boolean => performance.now() - startMs >= TIME_SLICE_MS
  const pause = async (): Promise<void> => {
    if (!isUsedUp()) return
    await nextRound()
    startMs = performance.now()
  }
  return {
    pauseIfUsedUp() {
      if (last === undefined && !isUsedUp()) return undefined
      last = last === undefined ? pause() : last.then(pause)
      return last
    },
  }
}

/** Throws when the signal is aborted. */
export async function yieldToOthers(signal: AbortSignal): Promise<void> {
  await nextRound()
  signal.throwIfAborted()
}
