// Requests over connections that stay open, and the CPU time of the process that answers them, read from the kernel: Linux only.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export function post(url: string, body: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString()))
    incoming.on('error', reject)
  })
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}

// biome-ignore lint/suspicious/noExplicitAny: what comes back is as many shapes as there are methods
export async function ask(url: string, method: string, ...params: readonly unknown[]): Promise<any> {
  const answer = JSON.parse(await post(url, requestText(method, params)))
  if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
  return answer.result
}

export function requestText(method: string, params: readonly unknown[], id = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** Sends one body after the other, again and again, over so many connections, for about this long; gives how often. */
export async function load(
  url: string,
  bodies: readonly string[],
  { connections, ms }: { connections: number; ms: number },
): Promise<number> {
  const endMs = performance.now() + ms
  let count = 0
  const sendUntilEnd = async () => {
    while (performance.now() < endMs) {
      await post(url, bodies[count++ % bodies.length]!)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendUntilEnd))
  return count
}

/** User and system time are the 12th and 13th field after the command's name, which may hold anything. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

const TICK_MS = 10

export function closeConnections(): void {
  agent.destroy()
}
