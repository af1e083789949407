// What a signed request costs: E5-shaped pages of constant data through the whole HTTP path (rate limits, signature,
// validation, envelope) against bare node:http sending the same bytes. Requests per CPU-second of the serving process;
// the load comes from this process. Aim: a ratio of at least 0.6.
import { fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { BenchServer } from './http-server.ts'

const REQUESTS = 12_000
const WARM_UP = 4_000
const CONCURRENCY = 32
const ROUNDS = 3

const target = '/api/v5/chain/block/block-list?chainShortName=DEV&limit=20&page=1'

const start = async (
  kind: 'firstlight' | 'bare',
): Promise<BenchServer & { cpuMs: () => Promise<number>; stop: () => void }> => {
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
const signedHeaders = ({ key, secret, passphrase }: BenchServer['credentials']): Record<string, string> => {
  const timestamp = new Date().toISOString()
  return {
    'SVC-ACCESS-KEY': key,
    'SVC-ACCESS-SIGN': createHmac('sha256', secret).update(`${timestamp}GET${target}`).digest('base64'),
    'SVC-ACCESS-TIMESTAMP': timestamp,
    'SVC-ACCESS-PASSPHRASE': passphrase,
  }
}

const get = (server: BenchServer): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { port: server.port, path: target, agent, headers: signedHeaders(server.credentials) },
      (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.on('end', () =>
          response.statusCode === 200 ? resolve(bytes) : reject(new Error(`HTTP ${response.statusCode}`)),
        )
      },
    )
    sent.once('error', reject)
    sent.end()
  })

const load = async (server: BenchServer, requests: number): Promise<number> => {
  let left = requests
  let bytes = 0
  const worker = async () => {
    while (left-- > 0) bytes = await get(server)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return bytes
}

const servers = { firstlight: await start('firstlight'), bare: await start('bare') }
const perCpuSecond: Record<'firstlight' | 'bare', number[]> = { firstlight: [], bare: [] }
for (const server of Object.values(servers)) await load(server, WARM_UP)
for (let round = 0; round < ROUNDS; round++) {
  for (const kind of ['bare', 'firstlight'] as const) {
    const server = servers[kind]
    const before = await server.cpuMs()
    const bytes = await load(server, REQUESTS)
    const cpuMs = (await server.cpuMs()) - before
    perCpuSecond[kind].push((REQUESTS / cpuMs) * 1000)
    console.log(
      `${kind.padEnd(10)} ${Math.round((REQUESTS / cpuMs) * 1000)} requests per CPU-second, ${bytes} bytes each`,
    )
  }
}
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
console.log(
  `signed E5 page / bare node:http: ${(median(perCpuSecond.firstlight) / median(perCpuSecond.bare)).toFixed(2)} (aim 0.6)`,
)
for (const server of Object.values(servers)) server.stop()
agent.destroy()
