// The cost of explorer answers on one million transactions with skewed addresses: signed requests to a whole Firstlight on SQLite against
// bare node:http sending the same bytes, in requests per CPU-second of the serving process. No response is found in the cache (see api/targets.ts)
// but in the row that says so. Then how long answers take while blocks are written, against the same without.
import { preparedFolder } from './api/database.ts'
import { bodyOf, closeConnections, latencies, load } from './api/load.ts'
import { type ServerProcess, startServerProcess, startWriterProcess } from './api/process.ts'
import { targetsOf } from './api/targets.ts'

const ROUNDS = 9
const WARM_UP_BYTES = 100_000_000
const OF_EACH_KIND = 40
const EVEN_LOAD = { perSecond: 100, seconds: 20 }
const [only = ''] = process.argv.slice(2)

const dataDir = await preparedFolder()
const firstlight = await startServerProcess('firstlight', dataDir)
const bare = await startServerProcess('bare', dataDir)
try {
  const targets = await targetsOf(firstlight)
  const ratios = new Map<string, number>()
  const cached = { 'E3 page 1, cached': targets['E3 page 1']!.slice(0, 20) }
  for (const [what, list] of Object.entries({ ...targets, ...cached })) {
    if (what.includes(only)) ratios.set(what, await ratioOf(what, list))
  }
  const [first, deep] = [ratios.get('E3 page 1 of the busiest'), ratios.get('E3 page 500 of the busiest')]
  if (first && deep) console.log(`E3 page 500 / page 1 of the same addresses: ${(deep / first).toFixed(2)} (aim 0.5)`)
  if (only === '' || 'p99'.includes(only)) await whileWriting(mixed(Object.values(targets)))
} finally {
  closeConnections()
  await Promise.all([firstlight.stop(), bare.stop()])
}

/**
 * Requests per CPU-second of Firstlight against those of the bare server. Both are measured one right after the other in many short rounds,
 * and the median of the rounds' ratios counts, so that a noisy machine disturbs it little.
 */
async function ratioOf(what: string, list: readonly string[]): Promise<number> {
  let bytes = 0
  for (const target of list) {
    const body = await bodyOf(firstlight, target)
    bytes += body.length
    bare.teach(target, body)
  }
  // Messages come in order: once it answers, it has learnt them.
  await bare.cpuMs()
  const size = bytes / list.length
  const requests = size > 100_000 ? 100 : 1_000
  for (const server of [bare, firstlight]) await load(server, list, WARM_UP_BYTES / size)
  const rates: Record<'firstlight' | 'bare', number[]> = { firstlight: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await perCpuSecond(bare, list, requests))
    rates.firstlight.push(await perCpuSecond(firstlight, list, requests))
  }
  const [ours, theirs] = [median(rates.firstlight), median(rates.bare)]
  const ratio = median(rates.firstlight.map((rate, round) => rate / rates.bare[round]!))
  const shown = [ours.toFixed(0).padStart(6), theirs.toFixed(0).padStart(6), ratio.toFixed(3)]
  console.log(
    `${what.padEnd(28)} ${shown[0]} requests per CPU-second, bare ${shown[1]}, ratio ${shown[2]}, ${(size / 1000).toFixed(1)} kB`,
  )
  return ratio
}

async function perCpuSecond(server: ServerProcess, list: readonly string[], requests: number): Promise<number> {
  const before = await server.cpuMs()
  await load(server, list, requests)
  return (requests / ((await server.cpuMs()) - before)) * 1000
}

/** Some of each kind, alternating, so that expensive ones do not come in a row. */
function mixed(lists: readonly (readonly string[])[]): string[] {
  return Array.from({ length: OF_EACH_KIND }, (_, i) => lists.map((list) => list[i]!)).flat()
}

async function whileWriting(list: readonly string[]): Promise<void> {
  const idle = await latencies(firstlight, list, EVEN_LOAD)
  const writer = await startWriterProcess(dataDir)
  const busy = await latencies(firstlight, list, EVEN_LOAD)
  await writer.stop()
  const at = (took: readonly number[], part: number) => took[Math.floor(took.length * part)]!
  for (const [name, took] of Object.entries({ idle, busy })) {
    console.log(
      `${name.padEnd(5)} p50 ${at(took, 0.5).toFixed(1)} ms, p99 ${at(took, 0.99).toFixed(1)} ms, longest ${took.at(-1)!.toFixed(1)} ms`,
    )
  }
  console.log(`p99 with a block a second / idle: ${(at(busy, 0.99) / at(idle, 0.99)).toFixed(2)} (aim at most 3)`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
