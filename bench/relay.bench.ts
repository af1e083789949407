// The cost of a subscriber: CPU time of the serving process per message and subscriber, and the time until a message is complete, for the
// relay, for bare socket writes of one WebSocket frame, and for Bun's publish, alternating. Aim: at most 1.25 times Bun. Then the relay beside readers
// that stall: they must neither use memory nor slow down others.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/free-port.ts'
import { installedBun } from './relay/bun.ts'
import type { Blast, Blasted } from './relay/protocol.ts'
import { arrivals, connectReader, type Reader } from './relay/reader.ts'

const AUDIENCES = [1_000, 5_000]
const FEED: Blast = { messages: 25, everyMs: 200, bytes: 20_000 }
/** A server in production is warm, so compilation time is not measured. */
function warmUpFor(audience: number): Blast {
  return {
    messages: Math.round(200_000 / audience),
    everyMs: audience / 25,
    bytes: 20_000,
  }
}
const NOTHING: Blast = { messages: 0, everyMs: 0, bytes: 0 }
const ROUNDS = 3
/** Much faster than a feed, so that stalled readers fall behind by more than the kernel buffers. */
const FLOOD: Blast = { messages: 800, everyMs: 10, bytes: 20_000 }
const FLOOD_AUDIENCE = 100
const STALLED = 50
/** Concurrent handshakes. */
const AT_ONCE = 100
/** Descriptors that the program itself needs. */
const SPARE_DESCRIPTORS = 200

type Measured = {
  /** Beyond what the process uses at rest, with all its subscribers. */
  usPerMessage: number
  /** Of one core. */
  restPercent: number
  p50: number
  p99: number
  delivered: number
  grownMb: number
}

async function programs(): Promise<ReadonlyMap<string, readonly string[]>> {
  const bun = await installedBun()
  if (!bun) console.log('Bun cannot be installed on this machine: no comparison with its publish')
  return new Map([
    ['relay', [process.execPath, fileURLToPath(new URL('./relay/relay-server.ts', import.meta.url))]],
    ['raw', [process.execPath, fileURLToPath(new URL('./relay/raw-server.ts', import.meta.url))]],
    ...(bun ? [['bun', [bun, fileURLToPath(new URL('./relay/bun-server.ts', import.meta.url))]] as const] : []),
  ])
}

async function connectAll(port: number, count: number): Promise<Reader[]> {
  const readers: Reader[] = []
  while (readers.length < count) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - readers.length) }, () => connectReader(port))
    readers.push(...(await Promise.all(batch)))
  }
  return readers
}

async function measure(
  [program, ...args]: readonly string[],
  run: { audience: number; stalled?: number; warmUp?: Blast; blast: Blast },
): Promise<Measured> {
  const { audience, stalled = 0, warmUp = NOTHING, blast } = run
  const port = await freePort()
  const child = spawn(program!, [...args, port], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'message')
  const stalls = await connectAll(Number(port), stalled)
  for (const { socket } of stalls) socket.pause()
  const readers = await connectAll(Number(port), audience)
  const blasted = async (blast: Blast): Promise<Blasted> => {
    child.send(blast)
    return ((await once(child, 'message')) as [Blasted])[0]
  }
  const before = await blasted(warmUp)
  const rest = await blasted(NOTHING)
  const { sentAt, frameBytes, cpuMs, tookMs, grownBytes } = await blasted(blast)
  for (const { socket } of [...stalls, ...readers]) socket.destroy()
  child.kill()
  await once(child, 'exit')
  const delay = (atMs: number, message: number) => atMs - sentAt[message]!
  const delays = readers
    .flatMap((reader) =>
      arrivals(reader, [...before.frameBytes, ...frameBytes])
        .slice(warmUp.messages)
        .map(delay),
    )
    .toSorted((a, b) => a - b)
  const quantile = (q: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * q))]!
  return {
    usPerMessage: ((cpuMs - rest.cpuMs * (tookMs / rest.tookMs)) * 1_000) / (audience * blast.messages),
    restPercent: (rest.cpuMs / rest.tookMs) * 100,
    p50: quantile(0.5),
    p99: quantile(0.99),
    delivered: delays.length / (audience * blast.messages),
    grownMb: grownBytes / 1e6,
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Readers and server are two processes, each with a descriptor for every connection. */
function withinDescriptors(audience: number): number {
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }))
  const possible = Number.isNaN(limit) ? audience : Math.min(audience, limit - SPARE_DESCRIPTORS)
  if (possible < audience)
    console.log(`only ${possible} of ${audience} subscribers: the limit of open files is ${limit}`)
  return possible
}

const kinds = await programs()
for (const audience of AUDIENCES.map(withinDescriptors)) {
  const runs = new Map([...kinds.keys()].map((kind) => [kind, [] as Measured[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, program] of kinds)
      runs.get(kind)!.push(await measure(program, { audience, warmUp: warmUpFor(audience), blast: FEED }))
  }
  const cost = (kind: string) => median(runs.get(kind)!.map(({ usPerMessage }) => usPerMessage))
  console.log(`${audience} subscribers, ${FEED.bytes / 1_000} KB, ${1_000 / FEED.everyMs} a second`)
  for (const [kind, measured] of runs) {
    const ms = (pick: (run: Measured) => number) => median(measured.map(pick)).toFixed(1)
    const delivered = Math.min(...measured.map(({ delivered }) => delivered)) * 100
    console.log(
      `  ${kind.padEnd(5)}  ${cost(kind).toFixed(1)} µs of CPU a message, p50 ${ms(({ p50 }) => p50)} ms, ` +
        `p99 ${ms(({ p99 }) => p99)} ms, ${delivered.toFixed(1)} % delivered, ` +
        `${ms(({ restPercent }) => restPercent)} % of a core at rest`,
    )
  }
  const against = (kind: string) => `${(cost('relay') / cost(kind)).toFixed(2)} × ${kind}`
  console.log(`  relay: ${against('raw')}${kinds.has('bun') ? `, ${against('bun')} (aim at most 1.25)` : ''}`)
}

function flood(stalled: number) {
  return measure(kinds.get('relay')!, { audience: FLOOD_AUDIENCE, stalled, blast: FLOOD })
}
const [alone, beside] = [await flood(0), await flood(STALLED)]
console.log(`${FLOOD_AUDIENCE} subscribers, ${1_000 / FLOOD.everyMs} messages a second`)
for (const [name, { usPerMessage, p99, grownMb, delivered }] of [
  ['alone', alone],
  [`beside ${STALLED} stalled`, beside],
] as const) {
  console.log(
    `  ${name.padEnd(17)}  p99 ${p99.toFixed(1)} ms, ${usPerMessage.toFixed(1)} µs of CPU a message, ` +
      `${grownMb.toFixed(0)} MB grown, ${(delivered * 100).toFixed(1)} % delivered`,
  )
}
