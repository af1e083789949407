/**
 * What is said within one round of the event loop goes over to the other thread in one go, in order: to wake a thread costs more than most
 * answers do.
 */
export function createOutbox<T>(send: (items: readonly T[]) => void): (item: T) => void {
  let waiting: T[] = []
  const flush = (): void => {
    const items = waiting
    waiting = []
    send(items)
  }
  return (item) => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push(item)
  }
}
