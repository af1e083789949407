// Stands before a node and adds the same time to every call, as a node far away does.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type SlowNode = { readonly url: string; readonly calls: () => number; stop(): void }

const BAD_GATEWAY = 502

export async function startSlowNode(target: string, addedMs: number): Promise<SlowNode> {
  let calls = 0
  const answerTo = async (request: AsyncIterable<Buffer>): Promise<Buffer> => {
    calls++
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    await sleep(addedMs)
    const body = Buffer.concat(chunks)
    const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    return Buffer.from(await answer.arrayBuffer())
  }
  const server = createServer((request, response) => {
    answerTo(request).then(
      (answer) => response.setHeader('content-type', 'application/json').end(answer),
      () => response.writeHead(BAD_GATEWAY).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
