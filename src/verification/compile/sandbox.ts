// What is put in front of a compiler's command line, as far as this machine allows: less of the processor than whoever answers
// requests, and no network.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export type Sandbox = {
  /** `nice -n 5 unshare --net --`, or nothing. */
  readonly prefix: readonly string[]
  readonly describe: string
}

const PROBE_MS = 5_000

/**
 * Answers to requests come before compiling; but not by so much that a busy machine lets a compilation starve. By a program in front
 * and not afterwards by the process id, which would leave out the threads that are there by then and what the sandbox has started.
 */
const NICE = ['nice', '-n', '5']

/** Tried in this order. All keep the process ids of outside, which the memory limit reads by. */
export const sandboxes: readonly Sandbox[] = [
  {
    prefix: [...NICE, 'bwrap', '--dev-bind', '/', '/', '--unshare-net', '--die-with-parent', '--'],
    describe: 'no network, by bubblewrap',
  },
  { prefix: [...NICE, 'unshare', '--net', '--'], describe: 'no network, by unshare' },
  {
    prefix: [...NICE, 'unshare', '--user', '--map-current-user', '--net', '--'],
    describe: 'no network, by unshare as another user',
  },
  { prefix: NICE, describe: 'the network is not closed off: neither bwrap nor unshare works here' },
]

const nothing: Sandbox = { prefix: [], describe: 'neither the network nor the processor is kept from it' }

let found: Promise<Sandbox> | undefined

/** Probed once a process. */
export function sandboxOfThisMachine(): Promise<Sandbox> {
  found ??= firstThatWorks()
  return found
}

async function firstThatWorks(): Promise<Sandbox> {
  for (const sandbox of sandboxes) if (await worksHere(sandbox)) return sandbox
  return nothing
}

/** False where it is not installed, or not allowed to this user. */
export async function worksHere({ prefix: [command, ...args] }: Sandbox): Promise<boolean> {
  try {
    await promisify(execFile)(command!, [...args, process.execPath, '--version'], { timeout: PROBE_MS })
    return true
  } catch {
    return false
  }
}
