// All that was sent but not yet read by clients lies in memory, of whatever kind the connection is. Together it may take no more than the
// budget: above it, connections of the address that has most of it are closed, those with most unread bytes first.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { addressGroup } from './admission.ts'

const CHECK_MS = 250
/** Of the budget; so that not every check has to close connections. */
const AFTER_CLOSING = 0.8
const MEMORY_SHARE = 0.1

/** A tenth of the memory that this process may use: for what is sent, and as much for bodies. */
export function defaultBudgetBytes(): number {
  const constrained = constrainedMemory()
  return Math.floor(Math.min(constrained > 0 ? constrained : Number.POSITIVE_INFINITY, totalmem()) * MEMORY_SHARE)
}

export function keepSendBudget(server: Server, options: { maxBytes: number; metrics: Metrics; log: Log }): void {
  const { maxBytes, metrics, log } = options
  const sockets = new Set<Socket>()
  const closed = metrics.counter(
    'firstlight_connections_over_budget_total',
    'Connections closed because unread bytes exceeded the budget',
  )
  metrics.gauge('firstlight_unread_bytes', 'Bytes that were sent but not yet read by clients', () =>
    unreadBytes(sockets),
  )

  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const timer = setInterval(() => {
    let unread = unreadBytes(sockets)
    if (unread <= maxBytes) return
    for (const socket of worstFirst(sockets)) {
      if (unread <= maxBytes * AFTER_CLOSING) break
      unread -= socket.writableLength
      closed.inc()
      log.warn(
        { address: socket.remoteAddress, bytes: socket.writableLength },
        'http: a client does not read what it asked for',
      )
      socket.destroy()
    }
  }, CHECK_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

function unreadBytes(sockets: ReadonlySet<Socket>): number {
  let bytes = 0
  for (const { writableLength } of sockets) bytes += writableLength
  return bytes
}

/** By the address with most unread bytes, then by the socket. */
function worstFirst(sockets: ReadonlySet<Socket>): readonly Socket[] {
  const byAddress = new Map<string, { bytes: number; sockets: Socket[] }>()
  for (const socket of sockets) {
    if (socket.writableLength === 0) continue
    const address = addressGroup(socket.remoteAddress ?? '')
    const known = byAddress.get(address) ?? { bytes: 0, sockets: [] }
    known.bytes += socket.writableLength
    known.sockets.push(socket)
    byAddress.set(address, known)
  }
  return [...byAddress.values()]
    .sort((a, b) => b.bytes - a.bytes)
    .flatMap((each) => each.sockets.sort((a, b) => b.writableLength - a.writableLength))
}
