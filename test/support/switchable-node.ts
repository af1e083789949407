// One address behind which a node can die, hang, come back and be replaced by another.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

export type NodeState =
  | { readonly type: 'dead' }
  | { readonly type: 'hanging' }
  | { readonly type: 'at'; readonly url: string }

export type SwitchableNode = { readonly url: string; set(state: NodeState): Promise<void>; stop(): Promise<void> }

export async function startSwitchableNode(target: string): Promise<SwitchableNode> {
  const port = Number(await freePort())
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let state: NodeState = { type: 'at', url: target }

  const take = (socket: Socket): void => {
    const add = (each: Socket) => {
      sockets.add(each)
      each.on('close', () => sockets.delete(each)).on('error', () => each.destroy())
    }
    add(socket)
    // A node that hangs accepts connections and never answers.
    if (state.type !== 'at') return
    const behind = connect(Number(new URL(state.url).port), '127.0.0.1')
    add(behind)
    socket.pipe(behind).pipe(socket)
  }
  const listen = () =>
    new Promise<void>((resolve) => {
      server = createServer(take).listen(port, '127.0.0.1', resolve)
    })
  const close = async () => {
    const closing = server
    server = undefined
    for (const socket of sockets) socket.destroy()
    if (closing) await new Promise((resolve) => closing.close(resolve))
  }
  await listen()
  return {
    url: `http://127.0.0.1:${port}`,
    async set(next) {
      await close()
      state = next
      if (next.type !== 'dead') await listen()
    },
    stop: close,
  }
}
