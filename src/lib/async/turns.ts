// Whose turn it is on a thread that all clients share. Work runs in time slices, one client after the other: a
// client with a thousand calls gets as many slices as one with a single call. While others wait, what a client has begun is finished before it
// begins more.
//
// While nobody waits and the slice of this event loop round is not used up, work begins at once and nothing is queued.

/** About the longest time that other work of the thread, such as a flashblock, waits behind a call. */
export const TIME_SLICE_MS = 4

export type Turns = {
  /** Runs the job now, or when it is the client's turn. A job must not throw. */
  run(client: string, job: () => void): void
  /** Resolves at the client's turn to begin something more. */
  toBegin(client: string): Promise<void>
  /** Resolves at the client's turn to go on with what it has begun. */
  toGoOn(client: string): Promise<void>
  /** Whether the slice of this event loop round is used up. */
  isUsedUp(): boolean
  /** Jobs and resumptions of all clients that wait. */
  waiting(): number
}

/** The work behind a promise runs after the round, so it ends the round. */
type Waiting = { readonly go: () => void; readonly endsRound: boolean }
type ClientQueue = { readonly begun: Waiting[]; readonly notBegun: Waiting[] }

export function createTurns(): Turns {
  /** In the order of their next turns. Clients without work are not in it. */
  const clients = new Map<string, ClientQueue>()
  let roundStartMs: number | undefined
  let isScheduled = false
  let waiting = 0

  const isUsedUp = (): boolean => {
    if (roundStartMs === undefined) {
      roundStartMs = performance.now()
      schedule()
      return false
    }
    return performance.now() - roundStartMs >= TIME_SLICE_MS
  }
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(round)
  }
  const round = (): void => {
    isScheduled = false
    roundStartMs = undefined
    while (clients.size > 0 && !isUsedUp()) {
      const { go, endsRound } = nextTurn()
      go()
      if (endsRound) break
    }
    if (clients.size > 0) schedule()
  }
  const nextTurn = (): Waiting => {
    const [client, queue] = clients.entries().next().value!
    clients.delete(client)
    // A client alone gets its calls started; while others wait, it finishes one before the next.
    const [first, second] = clients.size === 0 ? [queue.notBegun, queue.begun] : [queue.begun, queue.notBegun]
    const next = first.shift() ?? second.shift()!
    if (queue.begun.length + queue.notBegun.length > 0) clients.set(client, queue)
    waiting--
    return next
  }
  const queueOf = (client: string): ClientQueue => {
    waiting++
    const known = clients.get(client)
    if (known) return known
    const queue: ClientQueue = { begun: [], notBegun: [] }
    clients.set(client, queue)
    schedule()
    return queue
  }

  return {
    run(client, job) {
      if (clients.size === 0 && !isUsedUp()) job()
      else queueOf(client).notBegun.push({ go: job, endsRound: false })
    },
    toBegin(client) {
      const { promise, resolve } = Promise.withResolvers<void>()
      queueOf(client).notBegun.push({ go: resolve, endsRound: true })
      return promise
    },
    toGoOn(client) {
      const { promise, resolve } = Promise.withResolvers<void>()
      queueOf(client).begun.push({ go: resolve, endsRound: true })
      return promise
    },
    isUsedUp,
    waiting: () => waiting,
  }
}
