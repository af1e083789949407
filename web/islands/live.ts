// The WebSocket of the page. Islands subscribe to topics. A lost connection is opened again after a delay that grows with each attempt; the
// first message of a topic then brings its current state.
export type PageUpdate = {
  readonly topic: string
  /** The part as it is now, or new rows, newest first. */
  readonly html: string
}

type Listener = { onUpdate: (update: PageUpdate) => void; onConnection: (isOpen: boolean) => void }

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

const listeners = new Map<string, Set<Listener>>()
let socket: WebSocket | undefined
let waitMs = FIRST_WAIT_MS

/** Returns a function that ends the subscription. */
export function subscribe(topic: string, listener: Listener): () => void {
  const known = listeners.get(topic)
  const set = (known ?? new Set()).add(listener)
  listeners.set(topic, set)
  if (!socket) connect()
  else if (!known && socket.readyState === WebSocket.OPEN) subscribeTo([topic])
  return () => void set.delete(listener)
}

function subscribeTo(topics: readonly string[]): void {
  socket?.send(JSON.stringify({ subscribe: topics }))
}

function connect(): void {
  socket = new WebSocket(new URL('/live', location.href.replace(/^http/, 'ws')))
  socket.onopen = () => {
    waitMs = FIRST_WAIT_MS
    subscribeTo([...listeners.keys()])
    notifyConnection(true)
  }
  socket.onmessage = ({ data }) => {
    const update = JSON.parse(data as string) as PageUpdate
    for (const { onUpdate } of listeners.get(update.topic) ?? []) onUpdate(update)
  }
  socket.onclose = () => {
    notifyConnection(false)
    setTimeout(connect, waitMs * (0.5 + Math.random()))
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
  }
}

function notifyConnection(isOpen: boolean): void {
  for (const set of listeners.values()) for (const { onConnection } of set) onConnection(isOpen)
}
