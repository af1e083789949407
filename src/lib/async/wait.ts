// Waits that end: by time, by a wake signal, or by an AbortSignal.
import { setTimeout as timeout } from 'node:timers/promises'

/** Throws the signal's reason where it ends the wait. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (ms > 0) await timeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** The result of the promise, unless the signal aborts first: then its reason is thrown, and a later result is dropped. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abandon = () => reject(signal.reason)
  signal.addEventListener('abort', abandon, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}

/** Doubles with every attempt, up to a limit; a random part of it, so that many clients do not come back at once. */
export function backoffMs(attempt: number, { firstMs = FIRST_PAUSE_MS, mostMs = LONGEST_PAUSE_MS } = {}): number {
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(attempt, MAX_DOUBLINGS))
  return whole * (0.5 + Math.random() / 2)
}

/** Wakes one waiting loop. A wake that comes while nobody waits ends the next wait at once. */
export type WakeSignal = {
  wake(): void
  /** Until `wake`, or `ms` have passed or the signal ends. Never throws. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let isAwake = false
  let wake = () => {}
  return {
    wake() {
      isAwake = true
      wake()
    },
    async wait(ms, signal) {
      if (!isAwake && !signal.aborted) {
        const woken = new AbortController()
        wake = () => woken.abort()
        await timeout(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => undefined)
      }
      isAwake = false
    },
  }
}

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000
const MAX_DOUBLINGS = 16
