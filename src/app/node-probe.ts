// A look at a node from the outside: one call, and its clock.
import { withoutCredentials } from '../lib/log.ts'
import { createHttpTransport } from '../upstream/node/http-transport.ts'
import { RpcRefusal, requestText } from '../upstream/node/json-rpc.ts'
import { createSocketTransport } from '../upstream/node/socket-transport.ts'

const LIMITS = { timeoutMs: 5_000, maxBytes: 10_000_000 }

/** The result of one JSON-RPC call; fails with the node's name and what is wrong with its answer. */
export async function askNode(url: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const transport = isSocket(url) ? createSocketTransport(url, LIMITS) : createHttpTransport(url, LIMITS)
  try {
    const [answer] = await transport.exchange([{ method, params }], AbortSignal.timeout(LIMITS.timeoutMs))
    if (answer!.type === 'refused') throw new RpcRefusal(method, answer!)
    return answer!.result
  } catch (cause) {
    throw new Error(`${withoutCredentials(url)}: ${(cause as Error).message}`, { cause })
  } finally {
    transport.close()
  }
}

/** What the node says the time is, in whole seconds; undefined where it does not say, or does not answer. */
export async function nodeTimeMs(url: string): Promise<number | undefined> {
  if (isSocket(url)) return undefined
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: requestText([{ method: 'eth_chainId', params: [] }], 0),
    signal: AbortSignal.timeout(LIMITS.timeoutMs),
  }).catch(() => undefined)
  return Date.parse(answer?.headers.get('date') ?? '') || undefined
}

function isSocket(url: string): boolean {
  return url.startsWith('ws')
}
