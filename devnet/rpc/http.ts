// JSON-RPC over HTTP: POST to any path, with any content type, from any web page. GET answers that the node is running.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

export const MAX_BODY_BYTES = 10_000_000

/** `answer` returns the text to send, or undefined if there is no response. */
export function createHttpListener(answer: (body: string) => Promise<string | undefined>): RequestListener {
  return async (request, response) => {
    for (const [name, value] of CORS_HEADERS) response.setHeader(name, value)
    switch (request.method) {
      case 'OPTIONS':
        return end(response, 204)
      case 'GET':
      case 'HEAD':
        return end(response, 200, '{"name":"Firstlight devnet","jsonrpc":"POST here"}')
      case 'POST':
        return answerPost(request, response, answer)
      default:
        response.setHeader('allow', 'POST, GET, OPTIONS')
        return end(response, 405)
    }
  }
}

const CORS_HEADERS = [
  ['access-control-allow-origin', '*'],
  ['access-control-allow-methods', 'POST, GET, OPTIONS'],
  ['access-control-allow-headers', '*'],
  ['access-control-max-age', '86400'],
] as const

async function answerPost(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (body: string) => Promise<string | undefined>,
): Promise<void> {
  const body = await readBody(request)
  if (body === 'gone') return
  if (body === 'too long') {
    // The rest of the body is not read, so the connection cannot be used again.
    response.setHeader('connection', 'close')
    return end(response, 413, TOO_LONG)
  }
  const text = await answer(body.text)
  if (text === undefined) end(response, 204)
  else end(response, 200, text)
}

const TOO_LONG = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: `The body is over the limit of ${MAX_BODY_BYTES} bytes` },
})

async function readBody(request: IncomingMessage): Promise<{ text: string } | 'too long' | 'gone'> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > MAX_BODY_BYTES) return 'too long'
      chunks.push(chunk)
    }
  } catch {
    return 'gone'
  }
  return { text: Buffer.concat(chunks).toString() }
}

function end(response: ServerResponse, status: number, json?: string): void {
  response.statusCode = status
  if (json === undefined) return void response.end()
  response.setHeader('content-type', 'application/json')
  response.end(json)
}
