// Parts are started in order and stopped in reverse order. One abort signal tells everyone that the end has come.
export type Part = {
  name: string
  start: (signal: AbortSignal) => Promise<void> | void
  stop?: () => Promise<void> | void
}

export type Lifecycle = {
  readonly signal: AbortSignal
  /** Starts a part; when that fails, everything already started is stopped. */
  start: (part: Part) => Promise<void>
  /** Stops all parts, newest first. Gives the names of those that failed or did not end in time. */
  stop: () => Promise<readonly string[]>
}

/** Together all parts have this long to end. */
export const STOP_BUDGET_MS = 5_000

export const createLifecycle = ({ budgetMs = STOP_BUDGET_MS } = {}): Lifecycle => {
  const controller = new AbortController()
  const started: Part[] = []
  let stopping: Promise<readonly string[]> | undefined

  const stopAll = async (): Promise<readonly string[]> => {
    controller.abort(new Error('stopping'))
    const failed: string[] = []
    const deadline = Date.now() + budgetMs
    for (const part of started.reverse()) {
      const ended = await endsWithin(deadline - Date.now(), part.stop)
      if (!ended) failed.push(part.name)
    }
    return failed
  }

  return {
    signal: controller.signal,
    start: async (part) => {
      controller.signal.throwIfAborted()
      try {
        await part.start(controller.signal)
      } catch (error) {
        stopping ??= stopAll()
        await stopping
        throw error
      }
      started.push(part)
    },
    stop: () => {
      stopping ??= stopAll()
      return stopping
    },
  }
}

const endsWithin = async (ms: number, stop: Part['stop']): Promise<boolean> => {
  if (!stop) return true
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), Math.max(0, ms))
  try {
    return await Promise.race([late, Promise.resolve(stop()).then(() => true)])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
