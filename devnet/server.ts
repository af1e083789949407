// The devnet's one port: JSON-RPC over HTTP and WebSocket, and the Flashblocks feed on its own path.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Log } from '../src/lib/log.ts'
import type { DevnetChain } from './chain/chain.ts'
import { serveConnection } from './rpc/connection.ts'
import { createAnswer } from './rpc/dispatch.ts'
import { createExecutions } from './rpc/executions.ts'
import { createFeed } from './rpc/feed.ts'
import { createFilters } from './rpc/filters.ts'
import { createHttpListener, MAX_BODY_BYTES } from './rpc/http.ts'
import type { Executions } from './rpc/method.ts'
import { executingMethods, methods } from './rpc/methods/table.ts'

export const FEED_PATH = '/flashblocks'

const HOST = '127.0.0.1'
const MAX_CONNECTIONS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const KEEP_ALIVE_MS = 60_000

export type DevnetServer = { readonly port: number; stop(): Promise<void> }

export type ServerOptions = {
  readonly chain: DevnetChain
  /** 0 picks a free port. */
  readonly port: number
  readonly log: Log
  /** Where calls are executed; default: in this thread. */
  readonly executions?: Executions
}

export async function startServer({ chain, port, log, ...options }: ServerOptions): Promise<DevnetServer> {
  const filters = createFilters(chain)
  const executions = options.executions ?? createExecutions(executingMethods, chain)
  const answer = createAnswer({ methods, executingMethods }, log)
  const feed = createFeed(chain)
  const http = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    createHttpListener((body) => answer({ chain, filters, executions, connection: null }, body)),
  )
  http.maxConnections = MAX_CONNECTIONS
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES })
  http.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      if (request.url?.startsWith(FEED_PATH)) feed.add(client)
      else serveConnection(client, (connection, body) => answer({ chain, filters, executions, connection }, body))
    })
  })
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  http.once('error', reject)
  http.listen(port, HOST, resolve)
  await listening
  return {
    port: (http.address() as AddressInfo).port,
    async stop() {
      feed.stop()
      filters.stop()
      for (const client of sockets.clients) client.terminate()
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      http.close(() => resolve())
      http.closeAllConnections()
      await closed
    },
  }
}
