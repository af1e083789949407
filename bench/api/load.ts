// Signed requests: as fast as the server answers, or at an even rate to see how long an answer takes.
import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Served } from './process.ts'

const CONCURRENCY = 32
const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })

export function bodyOf(server: Served, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { port: server.port, path: target, agent, headers: signedHeaders(server, target) }
    const sent = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        if (response.statusCode === 200) resolve(body)
        else reject(new Error(`HTTP ${response.statusCode} for ${target}: ${body}`))
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** Goes through the targets again and again. */
export async function load(server: Served, targets: readonly string[], requests: number): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < requests) await get(server, targets[next++ % targets.length]!)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

/** The time of each request in milliseconds; requests start at a constant rate, whether or not earlier ones are answered. */
export async function latencies(
  server: Served,
  targets: readonly string[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number[]> {
  const took: number[] = []
  const pending: Promise<void>[] = []
  const startedMs = performance.now()
  for (let i = 0; i < perSecond * seconds; i++) {
    const dueMs = startedMs + (i * 1000) / perSecond
    if (dueMs > performance.now()) await sleep(dueMs - performance.now())
    const sentMs = performance.now()
    pending.push(get(server, targets[i % targets.length]!).then(() => void took.push(performance.now() - sentMs)))
  }
  await Promise.all(pending)
  return took.sort((a, b) => a - b)
}

export function closeConnections(): void {
  agent.destroy()
}

function get(server: Served, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { port: server.port, path, agent, headers: signedHeaders(server, path) }
    const sent = request(options, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`HTTP ${response.statusCode} for ${path}`)),
      )
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** A new signature each time, as a real client makes it. */
function signedHeaders({ credentials: { key, secret, passphrase } }: Served, target: string) {
  const timestamp = new Date().toISOString()
  return {
    'SVC-ACCESS-KEY': key,
    'SVC-ACCESS-SIGN': createHmac('sha256', secret).update(`${timestamp}GET${target}`).digest('base64'),
    'SVC-ACCESS-TIMESTAMP': timestamp,
    'SVC-ACCESS-PASSPHRASE': passphrase,
  }
}
