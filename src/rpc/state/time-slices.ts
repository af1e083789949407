// Everything of the pending chain shares one thread, so nobody keeps it for long: who has had it for a turn lets the others pass.
import { setImmediate as immediate } from 'node:timers/promises'

/** A flashblock waits this long behind a call, about. */
export const TIME_SLICE_MS = 4

export type TimeSlice = {
  /** Undefined: go on at once. Calls behind one that waits keep their order. */
  take(): Promise<void> | undefined
}

export function createTimeSlice(): TimeSlice {
  let startMs = performance.now()
  let last: Promise<void> | undefined
  const pass = async (): Promise<void> => {
    if (performance.now() - startMs < TIME_SLICE_MS) return
    await immediate()
    startMs = performance.now()
  }
  return {
    take() {
      if (last === undefined && performance.now() - startMs < TIME_SLICE_MS) return undefined
      last = last === undefined ? pass() : last.then(pass)
      return last
    },
  }
}

/** Ends with the signal. */
export async function yieldToOthers(signal: AbortSignal): Promise<void> {
  await immediate()
  signal.throwIfAborted()
}
