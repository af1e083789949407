// One process a folder: a file with the holder's process id. A holder that died leaves a file that the next one takes over.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** Gives the way to let go of it. */
export const lockFolder = (folder: string): (() => void) => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'lock')
  const holder = holderOf(file)
  if (holder !== undefined && holder !== process.pid && isAlive(holder)) {
    throw new FolderInUse(`${folder} is in use by process ${holder}: stop it, or choose another DATA_DIR`)
  }
  rmSync(file, { force: true })
  // Of two that get here together only one makes the file.
  writeFileSync(file, String(process.pid), { flag: 'wx' })
  return () => rmSync(file, { force: true })
}

const holderOf = (file: string): number | undefined => {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
