// The sandbox of a compiler, as a prefix of its command line: no network, and a lower priority than the process that answers
// requests. Which prefix works depends on the machine.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export type Sandbox = {
  /** `nice -n 5 unshare --net --`, or nothing. */
  readonly prefix: readonly string[]
  readonly describe: string
}

const PROBE_MS = 5_000

/**
 * Answering requests has priority over compiling, but not so much that a compilation starves on a busy machine. It is set by a
 * command in front and not later by the process id, which would miss threads and child processes that exist by then.
 */
const NICE = ['nice', '-n', '5']

/** Tried in this order. None of them makes a new process id namespace: process-limits.ts reads the children by their ids. */
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
  { prefix: NICE, describe: 'network access: neither bwrap nor unshare works here' },
]

const noSandbox: Sandbox = { prefix: [], describe: 'network access and normal priority: not even nice works here' }

/** The first sandbox that works on this machine. Each is tried with a command, so the caller calls this once and keeps the answer. */
export async function findSandbox(): Promise<Sandbox> {
  for (const sandbox of sandboxes) if (await worksHere(sandbox)) return sandbox
  return noSandbox
}

/** False where the command is not installed, or this user may not use it. */
export async function worksHere({ prefix: [command, ...args] }: Sandbox): Promise<boolean> {
  try {
    await promisify(execFile)(command!, [...args, process.execPath, '--version'], { timeout: PROBE_MS })
    return true
  } catch {
    return false
  }
}
