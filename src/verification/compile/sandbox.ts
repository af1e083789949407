// The sandbox of a compiler's process. The process sees the system's programs, the files that it is given, an empty /tmp, and nothing else:
// no data folder, no other process, no network. Which way to get there works depends on the machine.
import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

export type Sandbox = {
  readonly describe: string
  /** False where the process sees the files and processes of this user. */
  readonly isClosed: boolean
  /** The command line that runs a command inside. It may read `readable` beside the system's programs. */
  readonly commandIn: (command: readonly string[], readable: readonly string[]) => readonly string[]
}

const PROBE_MS = 5_000

/**
 * Answering requests has priority over compiling, but not so much that a compilation starves on a busy machine. It is set by a
 * command in front and not later by the process id, which would miss threads and child processes that exist by then.
 */
const NICE = ['nice', '-n', '10']

/** Programs and libraries, without the settings and secrets of the machine. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/ld.so.cache', '/etc/alternatives']
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom']

/** Where Node is installed elsewhere than among the system's programs. */
const nodeFolder = dirname(dirname(realpathSync(process.execPath)))

/** What is inside of another path is visible with it. */
function visible(readable: readonly string[]): string[] {
  const paths = [...new Set([...SYSTEM, nodeFolder, ...readable])].filter((path) => path !== '/' && existsSync(path))
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
}

function bubblewrap(command: readonly string[], readable: readonly string[]): string[] {
  return [
    ...NICE,
    'bwrap',
    ...['--unshare-all', '--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    ...visible(readable).flatMap((path) => ['--ro-bind', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--chdir', '/tmp', '--'],
    ...command,
  ]
}

/**
 * The same with the tools of util-linux: a new root in memory with read-only binds of what may be read, then no rights to change it. The
 * first argument is the folder to mount it on, then the paths up to `--`, then the command.
 */
const NEW_ROOT = `set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1; shift
mount -t tmpfs -o size=256m,mode=755 none "$root"
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root\${1%/*}"; : > "$root$1"; fi
  mount --rbind "$1" "$root$1"
  case "$1" in /dev/*) ;; *)
    mount -o remount,bind,ro "$root$1" 2>/dev/null || mount -o remount,bind,ro,nosuid,nodev "$root$1" ;;
  esac
  shift
done
shift
mkdir -p "$root/proc" "$root/tmp" "$root/.old"
chmod 1777 "$root/tmp"
mount -t proc none "$root/proc"
cd "$root"
pivot_root . .old
umount -l /.old
cd /tmp
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`

function unshared(user: readonly string[]): Sandbox['commandIn'] {
  return (command, readable) => {
    const paths = [...visible(readable), ...DEVICES]
    const root = paths.some((path) => path.startsWith('/mnt/')) ? '/media' : '/mnt'
    return [
      ...NICE,
      ...['setpriv', '--pdeathsig', 'KILL', 'unshare', ...user, '--mount', '--pid', '--net', '--ipc', '--uts'],
      ...['--fork', '--kill-child', '--', 'sh', '-c', NEW_ROOT, 'sandbox', root, ...paths, '--'],
      ...command,
    ]
  }
}

/** Tried in this order. */
export const sandboxes: readonly Sandbox[] = [
  {
    describe: 'closed: no network, no files, no other processes, by bubblewrap',
    isClosed: true,
    commandIn: bubblewrap,
  },
  {
    describe: 'closed: no network, no files, no other processes, by unshare',
    isClosed: true,
    commandIn: unshared(['--user', '--map-root-user']),
  },
  {
    describe: 'closed: no network, no files, no other processes, by unshare as root',
    isClosed: true,
    commandIn: unshared([]),
  },
  {
    describe: 'open: no network, but files and processes of this user, by unshare',
    isClosed: false,
    commandIn: (command) => [...NICE, 'unshare', '--user', '--map-current-user', '--net', '--', ...command],
  },
  {
    describe: 'open: neither bwrap nor unshare works on this machine, so compilers have all rights of this user',
    isClosed: false,
    commandIn: (command) => [...NICE, ...command],
  },
]

const noSandbox: Sandbox = {
  describe: 'open and at normal priority: not even nice works on this machine',
  isClosed: false,
  commandIn: (command) => command,
}

/** The first sandbox that works on this machine. Each is tried with a command, so the caller calls this once and stores the answer. */
export async function findSandbox(): Promise<Sandbox> {
  for (const sandbox of sandboxes) if (await isUsable(sandbox)) return sandbox
  return noSandbox
}

/** False where the command is not installed, or this user may not use it. */
export async function isUsable({ commandIn }: Sandbox): Promise<boolean> {
  const [command, ...args] = commandIn([process.execPath, '--version'], [])
  try {
    // With no variables, as compilers are started: a bwrap that only this shell finds does not count.
    await promisify(execFile)(command!, args, { timeout: PROBE_MS, env: {} })
    return true
  } catch {
    return false
  }
}
