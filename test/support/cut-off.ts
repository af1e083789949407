// A wire to a server that can be cut and mended: what stands behind it goes away and comes back, with everything it held.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

export type Wire = { readonly port: number; cut(): void; mend(): void; stop(): Promise<void> }

export async function wireTo(target: { host: string; port: number }): Promise<Wire> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(target)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  const port = Number(await freePort())
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    cut() {
      isCut = true
      hangUp()
    },
    mend() {
      isCut = false
    },
    async stop() {
      hangUp()
      server.close()
      await once(server, 'close')
    },
  }
}
