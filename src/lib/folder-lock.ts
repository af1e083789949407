// One process per folder: each writes a lock file with its process id in the name, and fails where it finds the file of another process
// that is alive.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** Returns the function that releases the lock. */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const lockFile = lockFileOf(folder, process.pid)
  // The file is written before the others are read: of two processes that start at the same time each sees the other.
  writeFileSync(lockFile, '')
  const release = () => rmSync(lockFile, { force: true })
  const others = othersIn(folder)
  const holder = others.find(isAlive)
  if (holder !== undefined) {
    release()
    throw new FolderInUse(`${folder} is in use by process ${holder}: stop it, or choose another DATA_DIR`)
  }
  for (const dead of others) rmSync(lockFileOf(folder, dead), { force: true })
  return release
}

const PREFIX = 'lock-'
function lockFileOf(folder: string, pid: number): string {
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
    // EPERM: the process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
