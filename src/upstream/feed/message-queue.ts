// Between the sockets, which do not wait, and one consumer, who may be slow. What does not fit pushes the oldest out: a consumer that
// far behind is better off with what is new.
import { createWakeSignal } from '../../lib/async/wait.ts'

export type MessageQueue<T> = {
  push(message: T): void
  /** Until the signal ends. */
  taken(signal: AbortSignal): AsyncGenerator<T>
  /** How many were pushed out. */
  readonly lost: number
}

export function createMessageQueue<T>(capacity: number): MessageQueue<T> {
  const waiting: T[] = []
  const bell = createWakeSignal()
  let lost = 0
  return {
    push(message) {
      waiting.push(message)
      if (waiting.length > capacity) {
        waiting.shift()
        lost++
      }
      bell.wake()
    },
    async *taken(signal) {
      while (!signal.aborted) {
        const next = waiting.shift()
        if (next === undefined) await bell.wait(LONGEST_WAIT_MS, signal)
        else yield next
      }
    },
    get lost() {
      return lost
    },
  }
}

const LONGEST_WAIT_MS = 60_000
