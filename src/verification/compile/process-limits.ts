// Ends a process that takes longer or more memory than it may. WebAssembly reserves addresses far beyond what it uses, so
// that a limit on address space would break it: what it holds in memory is looked at instead.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Limits } from './program.ts'

const POLL_MS = 250
const PAGE_BYTES = 4096
/** Linux counts processor time in hundredths of a second, whatever its own clock. */
const TICK_MS = 10
/** How many times longer a process may take that a busy machine lets have less than a processor. */
const STARVED = 3

export type Watch = { readonly over: Promise<'time' | 'memory'>; readonly stop: () => void }

export function watchProcess(pid: number, limits: Pick<Limits, 'wallMs' | 'memoryBytes'>): Watch {
  const { promise: over, resolve } = Promise.withResolvers<'time' | 'memory'>()
  const begunMs = performance.now()
  const before = usageOf(pid)
  let looking = false
  const poll = setInterval(async () => {
    if (looking) return
    looking = true
    const [{ cpuMs: earlierMs }, { bytes, cpuMs }] = await Promise.all([before, usageOf(pid)])
    if (bytes > limits.memoryBytes) resolve('memory')
    if (isTimeOver({ wallMs: performance.now() - begunMs, cpuMs: cpuMs - earlierMs }, limits.wallMs)) resolve('time')
    looking = false
  }, POLL_MS)
  return { over, stop: () => clearInterval(poll) }
}

type Spent = { readonly wallMs: number; readonly cpuMs: number }

/** By the clock, unless the process had to wait for others meanwhile: the same source must not fail because many are submitted. */
export function isTimeOver({ wallMs, cpuMs }: Spent, limitMs: number): boolean {
  return wallMs > limitMs * STARVED || (wallMs > limitMs && cpuMs > limitMs)
}

export async function residentBytes(pid: number): Promise<number> {
  return (await usageOf(pid)).bytes
}

type Usage = { readonly bytes: number; readonly cpuMs: number }

const NOTHING: Usage = { bytes: 0, cpuMs: 0 }

/** What a process and its children hold and have spent; nothing for one that is gone. */
async function usageOf(pid: number): Promise<Usage> {
  if (process.platform !== 'linux') return usageByPs(pid)
  try {
    const [stat, listed] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'),
    ])
    // Behind the name, which may hold anything: fields 14, 15 and 24 of proc(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [userTicks, systemTicks, pages] = [fields[11], fields[12], fields[21]].map(Number) as [number, number, number]
    const children = await Promise.all(listed.split(' ').filter(Boolean).map(Number).map(usageOf))
    return children.reduce((all, each) => ({ bytes: all.bytes + each.bytes, cpuMs: all.cpuMs + each.cpuMs }), {
      bytes: pages * PAGE_BYTES,
      cpuMs: (userTicks + systemTicks) * TICK_MS,
    })
  } catch {
    return NOTHING
  }
}

/** What was spent is not told in a form that is the same everywhere: it counts as if it had a processor to itself. */
async function usageByPs(pid: number): Promise<Usage> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    return { bytes: Number(stdout.trim()) * 1024, cpuMs: performance.now() }
  } catch {
    return NOTHING
  }
}
