// JSON-RPC over a WebSocket that is opened when it is needed, and again after it closed.

import { unlessAborted } from '../../lib/async/wait.ts'
import { RpcSocket } from './rpc-socket.ts'
import type { Transport, TransportLimits } from './transport.ts'

export function createSocketTransport(url: string, limits: TransportLimits): Transport {
  const closing = new AbortController()
  let opening: Promise<RpcSocket> | undefined
  let socket: RpcSocket | undefined
  const openSocket = async (): Promise<RpcSocket> => {
    if (socket?.isOpen) return socket
    opening ??= RpcSocket.open(url, limits, closing.signal).finally(() => {
      opening = undefined
    })
    socket = await opening
    return socket
  }
  return {
    exchange: async (calls, signal) => (await unlessAborted(openSocket(), signal)).exchange(calls, signal),
    close() {
      closing.abort()
      socket?.close()
    },
  }
}
