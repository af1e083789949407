// The writer lock of SQLite: one process at a time writes the chain into the file. It ends with the process, in whatever way it ends. A file
// beside it says who has the lock, and is touched again and again: a process that waits sees that the writer hangs. Nobody takes the lock
// away from a writer that hangs, since nothing could stop its next write.
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import type { Writer, WriterLock } from './database.ts'

const SQLITE_BUSY = 5
const PRIMARY_CODE = 0xff
const RENEW_EVERY_MS = 2_500

export type WriterFile = {
  /** Undefined while another process holds the lock. */
  lock(): WriterLock['release'] | undefined
  otherHolder(): Writer | undefined
}

export function createWriterFile(file: string): WriterFile {
  const holderFile = `${file}-holder`
  /** The other writer's last sign of life, and when it was first seen here: no clock but our own counts. */
  let sighting: { readonly touchedMs: number; readonly sinceMs: number; readonly holder: string } | undefined

  const lookAtHolder = (): void => {
    try {
      const { mtimeMs: touchedMs } = statSync(holderFile)
      if (touchedMs === sighting?.touchedMs) return
      sighting = { touchedMs, sinceMs: performance.now(), holder: readFileSync(holderFile, 'utf8') }
    } catch {
      // A writer of an earlier version has no such file.
      sighting ??= { touchedMs: 0, sinceMs: performance.now(), holder: 'unknown' }
    }
  }

  return {
    lock() {
      // A transaction that stays open on a file of its own.
      const holding = new DatabaseSync(file)
      try {
        holding.exec('begin exclusive')
      } catch (error) {
        holding.close()
        if (!isBusy(error)) throw error
        lookAtHolder()
        return undefined
      }
      sighting = undefined
      signHolder(holderFile)
      const renewing = setInterval(() => touch(holderFile), RENEW_EVERY_MS).unref()
      return async () => {
        clearInterval(renewing)
        holding.close()
      }
    },
    otherHolder: () =>
      sighting && { holder: sighting.holder, renewalAgeMs: Math.round(performance.now() - sighting.sinceMs) },
  }
}

/** Where the disk is full the file does not say who writes, and the lock holds all the same. */
function signHolder(holderFile: string): void {
  try {
    rmSync(holderFile, { force: true })
    writeFileSync(holderFile, `${hostname()}:${process.pid}`)
  } catch {}
}

function touch(holderFile: string): void {
  try {
    utimesSync(holderFile, new Date(), new Date())
  } catch {}
}

export function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & PRIMARY_CODE) === SQLITE_BUSY
}
