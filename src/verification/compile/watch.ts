// Ends a process that takes longer or more memory than it may. WebAssembly reserves addresses far beyond what it uses, so
// that a limit on address space would break it: what it holds in memory is looked at instead.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Limits } from './program.ts'

const POLL_MS = 250
const PAGE_BYTES = 4096

export type Watch = { readonly over: Promise<'time' | 'memory'>; readonly stop: () => void }

export const watchProcess = (pid: number, { wallMs, memoryBytes }: Pick<Limits, 'wallMs' | 'memoryBytes'>): Watch => {
  const { promise: over, resolve } = Promise.withResolvers<'time' | 'memory'>()
  const clock = setTimeout(() => resolve('time'), wallMs)
  let looking = false
  const poll = setInterval(async () => {
    if (looking) return
    looking = true
    if ((await residentBytes(pid)) > memoryBytes) resolve('memory')
    looking = false
  }, POLL_MS)
  return {
    over,
    stop: () => {
      clearTimeout(clock)
      clearInterval(poll)
    },
  }
}

/** What a process and its children hold; 0 for one that is gone. */
export const residentBytes = async (pid: number): Promise<number> => {
  if (process.platform !== 'linux') return residentByPs(pid)
  try {
    const [, resident = '0'] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean)
    let total = Number(resident) * PAGE_BYTES
    for (const child of children) total += await residentBytes(Number(child))
    return total
  } catch {
    return 0
  }
}

const residentByPs = async (pid: number): Promise<number> => {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    return Number(stdout.trim()) * 1024
  } catch {
    return 0
  }
}
