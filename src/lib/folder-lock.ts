// One process a folder: each leaves a mark with its process id in the name, and goes away where it finds that of another that lives.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** Gives the way to let go of it. */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const mark = markOf(folder, process.pid)
  // The mark comes before the look around: of two that come at once each sees the other.
  writeFileSync(mark, '')
  const letGo = () => rmSync(mark, { force: true })
  const others = othersIn(folder)
  const holder = others.find(isAlive)
  if (holder !== undefined) {
    letGo()
    throw new FolderInUse(`${folder} is in use by process ${holder}: stop it, or choose another DATA_DIR`)
  }
  for (const dead of others) rmSync(markOf(folder, dead), { force: true })
  return letGo
}

const PREFIX = 'lock-'
function markOf(folder: string, pid: number): string {
  return join(folder, PREFIX + pid)
}

function othersIn(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => Number(name.slice(PREFIX.length)))
    .filter((pid) => pid > 0 && pid !== process.pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
