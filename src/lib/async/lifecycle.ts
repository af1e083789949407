// Starts parts one after the other and stops them in reverse order. One abort signal says to all of them that the end has come.

/** Something with a start and a stop; what `start` returns is what others use of it. */
export type Part<T = void> = {
  readonly name: string
  /** Cleans up after itself where it fails. */
  readonly start: (signal: AbortSignal) => Promise<T> | T
  readonly stop?: (started: T) => Promise<unknown> | unknown
}

export type Lifecycle = {
  readonly signal: AbortSignal
  /** Starts a part; where that fails, everything started before it is stopped. */
  start: <T>(part: Part<T>) => Promise<T>
  /** Stops all parts, newest first. Gives the names of those that failed or did not end in time. */
  stop: () => Promise<readonly string[]>
}

/** All parts together have this long to end. */
export const STOP_BUDGET_MS = 5_000

export function createLifecycle({ budgetMs = STOP_BUDGET_MS } = {}): Lifecycle {
  const controller = new AbortController()
  const started: { name: string; stop: () => unknown }[] = []
  let starting: Promise<unknown> = Promise.resolve()
  let stopping: Promise<readonly string[]> | undefined

  const stopAll = async (): Promise<readonly string[]> => {
    controller.abort(new Error('stopping'))
    const failed: string[] = []
    const deadline = performance.now() + budgetMs
    // A part that is still starting cannot be stopped yet, and would be left running.
    await endsWithin(budgetMs / 2, () => starting)
    for (const { name, stop } of started.reverse()) {
      const ended = await endsWithin(deadline - performance.now(), stop)
      if (!ended) failed.push(name)
    }
    return failed
  }
  const stop = (): Promise<readonly string[]> => {
    stopping ??= stopAll()
    return stopping
  }
  const startOne = async <T>({ name, start, stop }: Part<T>): Promise<T> => {
    const value = await start(controller.signal)
    started.push({ name, stop: () => stop?.(value) })
    return value
  }

  return {
    signal: controller.signal,
    start: async (part) => {
      controller.signal.throwIfAborted()
      const value = startOne(part)
      starting = value.catch(() => undefined)
      try {
        await value
      } catch (error) {
        await stop()
        throw error
      }
      controller.signal.throwIfAborted()
      return value
    },
    stop,
  }
}

async function endsWithin(ms: number, stop: () => unknown): Promise<boolean> {
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
