// The time and memory of a compiler's process, watched from outside of its sandbox.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Limits } from './compiler.ts'

const POLL_MS = 250
const PAGE_BYTES = 4096
/** Linux counts processor time in hundredths of a second, whatever its clock rate. */
const TICK_MS = 10
/** How many times longer a process may take on a busy machine, where it gets less than one processor. */
const STARVED = 3

export type ProcessLimits = { readonly exceeded: Promise<'time' | 'memory'>; readonly stop: () => void }

/**
 * Watches the time and the memory of a process. The memory is the resident set of the process and its children, because WebAssembly
 * reserves far more address space than it uses: a limit on address space would break it. Ends nothing itself: the caller kills the
 * process when `exceeded` resolves, and calls `stop` when it ended.
 */
export function limitProcess(pid: number, limits: Pick<Limits, 'wallMs' | 'memoryBytes'>): ProcessLimits {
  const { promise: exceeded, resolve } = Promise.withResolvers<'time' | 'memory'>()
  const startMs = performance.now()
  const usageAtStart = usageOf(pid)
  let isPolling = false
  const poll = setInterval(async () => {
    if (isPolling) return
    isPolling = true
    const [{ cpuMs: earlierMs }, { bytes, cpuMs }] = await Promise.all([usageAtStart, usageOf(pid)])
    if (bytes > limits.memoryBytes) resolve('memory')
    if (isTimeOver({ wallMs: performance.now() - startMs, cpuMs: cpuMs - earlierMs }, limits.wallMs)) resolve('time')
    isPolling = false
  }, POLL_MS)
  return { exceeded, stop: () => clearInterval(poll) }
}

type Spent = { readonly wallMs: number; readonly cpuMs: number }

/**
 * Time is over by the clock, unless the process had to wait for a processor meanwhile: a source must not fail because many others
 * are submitted at the same time.
 */
export function isTimeOver({ wallMs, cpuMs }: Spent, limitMs: number): boolean {
  return wallMs > limitMs * STARVED || (wallMs > limitMs && cpuMs > limitMs)
}

export async function residentBytes(pid: number): Promise<number> {
  return (await usageOf(pid)).bytes
}

type Usage = { readonly bytes: number; readonly cpuMs: number }

const NO_USAGE: Usage = { bytes: 0, cpuMs: 0 }

/** The memory and processor time of a process and its children; zero for a process that is gone. */
async function usageOf(pid: number): Promise<Usage> {
  if (process.platform !== 'linux') return usageByPs(pid)
  try {
    const [stat, listed] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'),
    ])
    // Fields 14, 15 and 24 of proc(5), counted from behind the name, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [userTicks, systemTicks, pages] = [fields[11], fields[12], fields[21]].map(Number) as [number, number, number]
    const children = await Promise.all(listed.split(' ').filter(Boolean).map(Number).map(usageOf))
    return children.reduce((all, each) => ({ bytes: all.bytes + each.bytes, cpuMs: all.cpuMs + each.cpuMs }), {
      bytes: pages * PAGE_BYTES,
      cpuMs: (userTicks + systemTicks) * TICK_MS,
    })
  } catch {
    return NO_USAGE
  }
}

/** ps reports processor time in no form that is the same everywhere: the process counts as if it had a processor to itself. */
async function usageByPs(pid: number): Promise<Usage> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    return { bytes: Number(stdout.trim()) * 1024, cpuMs: performance.now() }
  } catch {
    return NO_USAGE
  }
}
