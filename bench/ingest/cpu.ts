// CPU seconds of this process and, where one is given, of a PostgreSQL server with all its children.
import { readdirSync, readFileSync } from 'node:fs'

export type CpuClock = () => number

export const ownCpu: CpuClock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** `backend` is any process of the server; those that end leave their time with the parent. Linux only. */
export function postgresCpu(backend: number): CpuClock {
  const server = statOf(backend).parent
  return () => {
    let ticks = statOf(server).ticks + statOf(server).ticksOfEnded
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      try {
        const stat = statOf(Number(name))
        if (stat.parent === server) ticks += stat.ticks
      } catch {
        // It ended while we looked.
      }
    }
    return ticks / TICKS_A_SECOND
  }
}

const TICKS_A_SECOND = 100

function statOf(pid: number): { parent: number; ticks: number; ticksOfEnded: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (index: number) => Number(fields[index])
  return { parent: at(1), ticks: at(11) + at(12), ticksOfEnded: at(13) + at(14) }
}
