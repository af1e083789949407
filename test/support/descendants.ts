// Every process that a process started, and what those started, from /proc.
import { readdirSync, readFileSync } from 'node:fs'

export function descendantsOf(pid: number | 'self'): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

function childrenOf(pid: number | 'self'): number[] {
  const tasks = `/proc/${pid}/task`
  try {
    return readdirSync(tasks).flatMap((task) =>
      readFileSync(`${tasks}/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return [] // Gone meanwhile.
  }
}
