// The cost of a signed request: E5-shaped pages of constant data through the whole HTTP path (rate limits, signature,
// validation, envelope) against bare node:http sending the same bytes. Once with an answer that is cached, so
// that its JSON is built once, and once with the JSON built again each time. Requests per CPU-second of the serving process;
// the load comes from this process. Aim: a ratio of at least 0.6.
import { fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { BenchServer, Kind } from './http-server.ts'

const REQUESTS = 12_000
const WARM_UP = 10_000
const CONCURRENCY = 32
const ROUNDS = 5

const target = '/api/v5/chain/block/block-list?chainShortName=DEV&limit=20&page=1'
const kinds: readonly Kind[] = ['bare', 'cached', 'fresh']

type Served = BenchServer & { cpuMs: () => Promise<number>; stop: () => void }

async function start(kind: Kind): Promise<Served> {
  const child = fork(fileURLToPath(new URL('./http-server.ts', import.meta.url)), [kind])
  const [ready] = (await once(child, 'message')) as [BenchServer]
  return {
    ...ready,
    cpuMs: async () => {
      child.send('cpu')
      const [ms] = (await once(child, 'message')) as [number]
      return ms
    },
    stop: () => child.kill(),
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })

/** A new signature each time, as a real client makes it. */
function signedHeaders({ key, secret, passphrase }: BenchServer['credentials']): Record<string, string> {
  const timestamp = new Date().toISOString()
  return {
    'SVC-ACCESS-KEY': key,
    'SVC-ACCESS-SIGN': createHmac('sha256', secret).update(`${timestamp}GET${target}`).digest('base64'),
    'SVC-ACCESS-TIMESTAMP': timestamp,
    'SVC-ACCESS-PASSPHRASE': passphrase,
  }
}

function get(server: BenchServer): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { port: server.port, path: target, agent, headers: signedHeaders(server.credentials) }
    const sent = request(options, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`HTTP ${response.statusCode}`)),
      )
    })
    sent.once('error', reject)
    sent.end()
  })
}

async function load(server: BenchServer, requests: number): Promise<void> {
  let left = requests
  const worker = async () => {
    while (left-- > 0) await get(server)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

const servers = { bare: await start('bare'), cached: await start('cached'), fresh: await start('fresh') }
const perCpuSecond: Record<Kind, number[]> = { bare: [], cached: [], fresh: [] }
for (const server of Object.values(servers)) await load(server, WARM_UP)
for (let round = 0; round < ROUNDS; round++) {
  for (const kind of kinds) {
    const before = await servers[kind].cpuMs()
    await load(servers[kind], REQUESTS)
    perCpuSecond[kind].push((REQUESTS / ((await servers[kind].cpuMs()) - before)) * 1000)
  }
}
function median(kind: Kind): number {
  return perCpuSecond[kind].toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
}
for (const kind of kinds) console.log(`${kind.padEnd(5)}  ${Math.round(median(kind))} requests per CPU-second`)
function ratio(kind: Kind): string {
  return (median(kind) / median('bare')).toFixed(2)
}
console.log(
  `signed E5 page / bare node:http: ${ratio('cached')} with a cached answer (aim 0.6), ${ratio('fresh')} with fresh JSON`,
)
for (const server of Object.values(servers)) server.stop()
agent.destroy()
