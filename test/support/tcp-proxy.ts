// A TCP proxy that can swallow all bytes while the connections stay open, as a network does that has forgotten them.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  readonly port: number
  /** The connections that are open now pass no byte any more; `new connections` says what becomes of later ones. */
  swallow(newConnections: 'pass' | 'swallowed'): void
  /** Connections that swallowed bytes are ended, and new ones pass. */
  heal(): void
  stop(): Promise<void>
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const swallowed = new Set<Socket>()
  let swallowsNew = false
  const server = createServer((near) => {
    const far = connect(target)
    const both: [Socket, Socket] = [near, far]
    for (const [from, to] of [both, both.toReversed() as [Socket, Socket]]) {
      open.add(from)
      if (swallowsNew) swallowed.add(from)
      from.on('data', (bytes) => {
        if (!swallowed.has(from)) to.write(bytes)
      })
      // An end is not passed on either: the other side sees nothing of it.
      from.on('close', () => {
        open.delete(from)
        if (!swallowed.has(from)) to.destroy()
      })
      from.on('error', () => from.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = (sockets: Iterable<Socket>): void => {
    for (const socket of [...sockets]) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    swallow(newConnections) {
      for (const socket of open) swallowed.add(socket)
      swallowsNew = newConnections === 'swallowed'
    },
    heal() {
      swallowsNew = false
      endAll(swallowed)
      swallowed.clear()
    },
    async stop() {
      server.close()
      endAll(open)
      await once(server, 'close')
    },
  }
}

/** The same database by the way of the proxy. */
export function throughProxy(url: string, { port }: TcpProxy): string {
  const proxied = new URL(url)
  proxied.host = `127.0.0.1:${port}`
  return proxied.href
}
