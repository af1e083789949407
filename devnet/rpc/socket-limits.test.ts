import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { sendBounded } from './socket-limits.ts'

const MEGABYTE = 'a'.repeat(1_000_000)
/** The buffers of the operating system are added to ours. */
const CERTAINLY_TOO_MUCH = 200

test('cuts off a client that does not read, and leaves the others alone', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [slow, slowSide] = await connected(server, url)
  const [quick, quickSide] = await connected(server, url)
  slow.pause()
  let received = 0
  quick.on('message', () => received++)
  for (let sent = 1; sent <= CERTAINLY_TOO_MUCH; sent++) {
    sendBounded(slowSide, MEGABYTE)
    sendBounded(quickSide, 'results')
    if (sent % 10 === 0) await once(quick, 'message')
  }
  expect(slowSide.readyState).toBe(WebSocket.CLOSED)
  expect(quickSide.readyState).toBe(WebSocket.OPEN)
  while (received < CERTAINLY_TOO_MUCH) await once(quick, 'message')
  slow.terminate()
  quick.terminate()
  server.close()
})

async function connected(server: WebSocketServer, url: string): Promise<[client: WebSocket, serverSide: WebSocket]> {
  const client = new WebSocket(url)
  const [[serverSide]] = await Promise.all([once(server, 'connection'), once(client, 'open')])
  return [client, serverSide as WebSocket]
}
