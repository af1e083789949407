// How long a job has had compile slots until now, for those who charge its sender: it can be read while a compiler runs.
export type SlotTimer = {
  readonly ms: number
  /** Runs until the function that it returns is called. */
  start: () => () => void
}

export function createSlotTimer(): SlotTimer {
  let endedMs = 0
  const running = new Set<{ readonly startMs: number }>()
  return {
    get ms() {
      const nowMs = performance.now()
      return Math.round(endedMs + [...running].reduce((sum, { startMs }) => sum + nowMs - startMs, 0))
    },
    start: () => {
      const run = { startMs: performance.now() }
      running.add(run)
      return () => {
        if (running.delete(run)) endedMs += performance.now() - run.startMs
      }
    },
  }
}
