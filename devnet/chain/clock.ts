// Time, as something to be handed in: tests bring a clock of their own.
import { setTimeout as sleep } from 'node:timers/promises'

export type Clock = {
  nowMs(): number
  /** Comes back when it is time, or when the signal comes. */
  sleepUntil(timeMs: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  async sleepUntil(timeMs, signal) {
    // A timer may fire a little early by the wall clock.
    while (!signal.aborted && Date.now() < timeMs) {
      await sleep(timeMs - Date.now(), undefined, { signal }).catch(() => undefined)
    }
  },
}
