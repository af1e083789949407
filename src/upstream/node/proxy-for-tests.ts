// A proxy before a node that changes its answers: refuses methods, changes results, knows no batches.
import { createServer } from 'node:http'
import { freePort } from '../../../test/support/free-port.ts'

// biome-ignore lint/suspicious/noExplicitAny: results are of as many shapes as there are methods
export type Json = any

export type Bend = {
  /** An error instead of the answer. */
  readonly refuse?: (method: string, params: Json[]) => { code: number; message: string } | undefined
  /** The result that the proxy sends, or a promise of it. */
  readonly rewrite?: (method: string, result: Json, params: Json[]) => Json
  readonly knowsBatches?: boolean
}

export type NodeProxy = { readonly url: string; readonly requests: string[]; bend: Bend; stop(): void }

export async function startProxy(target: string, bend: Bend = {}): Promise<NodeProxy> {
  const server = createServer((request, response) => {
    // Where the target breaks off, the proxy answers with an error.
    answerTo(request).then(
      (answer) => response.end(JSON.stringify(answer)),
      () => response.writeHead(BAD_GATEWAY).end(),
    )
  })
  const answerTo = async (request: AsyncIterable<Buffer>): Promise<Json> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const parsed: Json = JSON.parse(Buffer.concat(chunks).toString())
    if (!Array.isArray(parsed)) return one(parsed)
    if (proxy.bend.knowsBatches !== false) return Promise.all(parsed.map(one))
    return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } }
  }
  const one = async ({ id, method, params }: Json): Promise<Json> => {
    proxy.requests.push(method)
    const error = proxy.bend.refuse?.(method, params)
    if (error !== undefined) return { jsonrpc: '2.0', id, error }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const { result, ...rest }: Json = await (await fetch(target, { method: 'POST', body })).json()
    if (result === undefined) return rest
    return {
      jsonrpc: '2.0',
      id,
      result: proxy.bend.rewrite === undefined ? result : await proxy.bend.rewrite(method, result, params),
    }
  }
  const port = Number(await freePort())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const proxy: NodeProxy = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    bend,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}

const BAD_GATEWAY = 502
