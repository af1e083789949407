// Parts are started one after the other and stopped in reverse order. One abort signal tells everyone that the end has come.
export type Part = {
  name: string
  start: (signal: AbortSignal) => Promise<void> | void
  /** Also called for a part whose start failed half way. */
  stop?: () => Promise<void> | void
}

export type Lifecycle = {
  readonly signal: AbortSignal
  /** Starts a part; when that fails, it and everything started before it is stopped. */
  start: (part: Part) => Promise<void>
  /** Stops all parts, newest first. Gives the names of those that failed or did not end in time. */
  stop: () => Promise<readonly string[]>
}

/** Together all parts have this long to end. */
export const STOP_BUDGET_MS = 5_000

export function createLifecycle({ budgetMs = STOP_BUDGET_MS } = {}): Lifecycle {
  const controller = new AbortController()
  const parts: Part[] = []
  let starting: Promise<unknown> = Promise.resolve()
  let stopping: Promise<readonly string[]> | undefined

  const stopAll = async (): Promise<readonly string[]> => {
    controller.abort(new Error('stopping'))
    const failed: string[] = []
    const deadline = Date.now() + budgetMs
    // What is half way up has nothing to stop yet, and would stay behind.
    await endsWithin(budgetMs / 2, () => starting)
    for (const part of parts.reverse()) {
      const ended = await endsWithin(deadline - Date.now(), part.stop)
      if (!ended) failed.push(part.name)
    }
    return failed
  }
  const stop = (): Promise<readonly string[]> => {
    stopping ??= stopAll()
    return stopping
  }

  return {
    signal: controller.signal,
    start: async (part) => {
      controller.signal.throwIfAborted()
      parts.push(part)
      try {
        const started = part.start(controller.signal)
        starting = Promise.resolve(started).catch(() => undefined)
        await started
      } catch (error) {
        await stop()
        throw error
      }
      controller.signal.throwIfAborted()
    },
    stop,
  }
}

async function endsWithin(ms: number, stop: (() => unknown) | undefined): Promise<boolean> {
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
