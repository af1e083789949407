// A semaphore and a mutex; both are first come, first served.

/** Runs at most `limit` pieces of work at the same time; the limit may change while others wait. */
export type Semaphore = {
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  readonly running: number
}

export function createSemaphore(limit: () => number): Semaphore {
  const queue: (() => void)[] = []
  let active = 0

  const admit = () => {
    while (active < limit() && queue.length > 0) {
      active++
      queue.shift()!()
    }
  }

  const enter = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abandon = () => {
      const position = queue.indexOf(resolve)
      if (position < 0) return
      queue.splice(position, 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', abandon, { once: true })
    queue.push(resolve)
    admit()
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', abandon)
    }
  }

  return {
    async run(work, signal) {
      await enter(signal)
      try {
        return await work()
      } finally {
        active--
        admit()
      }
    },
    get running() {
      return active
    },
  }
}

export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

/** Runs one piece of work at a time. A piece that fails does not stop the next. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }
}
