export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

/** One at a time, in the order of asking. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }
}
