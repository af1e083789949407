// A wall clock that a test sets forward and back for one process and whatever it starts, while its monotonic clock goes on as before: by
// libfaketime, which stands between the process and the C library.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
]

export type FakeClock = {
  /** For the process whose clock it is. */
  readonly environment: Record<string, string>
  /** So far from the true time from now on; seen within a second. */
  set(seconds: number): void
}

/** Undefined where libfaketime is not installed (Debian: the package faketime). */
export function createFakeClock(folder: string): FakeClock | undefined {
  const library = LIBRARIES.find((file) => existsSync(file))
  if (library === undefined) {
    console.log('libfaketime is not installed: no clock is set')
    return undefined
  }
  const file = join(folder, 'faketime')
  const set = (seconds: number): void => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  set(0)
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
  return { environment, set }
}
