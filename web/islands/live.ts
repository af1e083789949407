// The one WebSocket of a tab. Islands subscribe to topics; a lost connection comes back by itself, later each time, and what
// happened meanwhile comes with the first message after it.
export type PageUpdate = {
  readonly topic: string
  /** What the part shows now, or the rows that are new, newest first. */
  readonly html: string
}

type Listener = { onUpdate: (news: PageUpdate) => void; onConnection: (isOpen: boolean) => void }

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

const listeners = new Map<string, Set<Listener>>()
let socket: WebSocket | undefined
let waitMs = FIRST_WAIT_MS

/** Gives the function that ends it. */
export function subscribe(topic: string, listener: Listener): () => void {
  const known = listeners.get(topic)
  const set = (known ?? new Set()).add(listener)
  listeners.set(topic, set)
  if (!socket) connect()
  else if (!known && socket.readyState === WebSocket.OPEN) ask([topic])
  return () => void set.delete(listener)
}

function ask(topics: readonly string[]): void {
  socket?.send(JSON.stringify({ subscribe: topics }))
}

function connect(): void {
  socket = new WebSocket(new URL('/live', location.href.replace(/^http/, 'ws')))
  socket.onopen = () => {
    waitMs = FIRST_WAIT_MS
    ask([...listeners.keys()])
    tellAll(true)
  }
  socket.onmessage = ({ data }) => {
    const news = JSON.parse(data as string) as PageUpdate
    for (const { onUpdate: onNews } of listeners.get(news.topic) ?? []) onNews(news)
  }
  socket.onclose = () => {
    tellAll(false)
    setTimeout(connect, waitMs * (0.5 + Math.random()))
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
  }
}

function tellAll(isOpen: boolean): void {
  for (const set of listeners.values()) for (const { onConnection } of set) onConnection(isOpen)
}
