// What is put in front of a compiler's command line to close the network off, as far as this machine allows.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export type Sandbox = {
  /** `unshare -n --`, or nothing. */
  readonly prefix: readonly string[]
  readonly describe: string
}

const PROBE_MS = 5_000

// Tried in this order. All keep the process ids of outside, which the memory limit reads by.
const candidates: readonly Sandbox[] = [
  {
    prefix: ['bwrap', '--dev-bind', '/', '/', '--unshare-net', '--die-with-parent', '--'],
    describe: 'no network, by bubblewrap',
  },
  { prefix: ['unshare', '--net', '--'], describe: 'no network, by unshare' },
  { prefix: ['unshare', '--user', '--map-current-user', '--net', '--'], describe: 'no network, by unshare' },
]

const open: Sandbox = { prefix: [], describe: 'the network is not closed off: neither bwrap nor unshare works here' }

let found: Promise<Sandbox> | undefined

/** Probed once a process. */
export const sandboxOfThisMachine = (): Promise<Sandbox> => {
  found ??= firstThatWorks()
  return found
}

const firstThatWorks = async (): Promise<Sandbox> => {
  for (const candidate of candidates) {
    const [command, ...args] = candidate.prefix
    try {
      await promisify(execFile)(command!, [...args, process.execPath, '--version'], { timeout: PROBE_MS })
      return candidate
    } catch {
      // Not installed, or not allowed to this user: the next one may be.
    }
  }
  return open
}
