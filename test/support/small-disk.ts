// A file system of a few megabytes, which only root can make.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  readonly folder: string
  /** Takes all the room that is left; `free` gives it back. */
  fill(): void
  free(): void
  grow(megabytes: number): void
  remove(): void
}

/** Undefined where it cannot be had. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-disk-'))
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    console.log('no small file system can be mounted on this machine: nothing is tried on a full disk')
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => fill(filler),
    free: () => rmSync(filler, { force: true }),
    grow: (size) => void execFileSync('/bin/mount', ['-o', `remount,size=${size}m`, folder]),
    remove: () => {
      execFileSync('/bin/umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Until the file system refuses, in smaller and smaller pieces. */
function fill(file: string): void {
  const descriptor = openSync(file, 'a')
  for (const bytes of [2 ** 20, 2 ** 12]) {
    const piece = Buffer.alloc(bytes, 1)
    try {
      while (writeSync(descriptor, piece) === bytes);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error
    }
  }
  closeSync(descriptor)
}
