// The sandbox of a compiler's process. The process sees the system's programs, the files that it is given, an empty /tmp, and nothing else:
// no data folder, no other process, no network. The step that installs a compiler has a network and one folder to write into. Which way to
// get there works depends on the machine.
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
  /** The same for a command that fetches and installs. */
  readonly installIn: (command: readonly string[], access: InstallAccess) => readonly string[]
}

/** Beside the system's programs and the network. */
export type InstallAccess = { readonly readable: readonly string[]; readonly writable: readonly string[] }

type Access = InstallAccess & { readonly network: 'none' | 'shared' }

const PROBE_MS = 5_000

/**
 * Answering requests has priority over compiling, but not so much that a compilation starves on a busy machine. It is set by a
 * command in front and not later by the process id, which would miss threads and child processes that exist by then.
 */
const NICE = ['nice', '-n', '10']

/** Programs and libraries, without the settings and secrets of the machine. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/ld.so.cache', '/etc/alternatives']
/** How names and certificates are found, and where the registries of packages are. */
const NETWORK = [
  ...['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/host.conf', '/etc/gai.conf'],
  ...['/etc/ssl', '/etc/pki', '/etc/ca-certificates', '/etc/pip.conf', '/etc/xdg/pip', '/etc/npmrc'],
]
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom']

/** Where Node is installed elsewhere than among the system's programs. */
const nodeFolder = dirname(dirname(realpathSync(process.execPath)))

/** What is inside of another path is visible with it. */
function visible(readable: readonly string[]): string[] {
  const paths = [...new Set([...SYSTEM, nodeFolder, ...readable])].filter((path) => path !== '/' && existsSync(path))
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
}

/** An installation works in its own folder, everything else in an empty one. */
function workFolder(writable: readonly string[]): string {
  return writable[0] ?? '/tmp'
}

function bubblewrap(command: readonly string[], { readable, writable, network }: Access): string[] {
  return [
    ...NICE,
    'bwrap',
    ...['--unshare-all', ...(network === 'shared' ? ['--share-net'] : [])],
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    // What is given may lie in /tmp, so it is bound after the empty one.
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...visible(readable).flatMap((path) => ['--ro-bind', path, path]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...['--chdir', workFolder(writable), '--'],
    ...command,
  ]
}

/**
 * The same with the tools of util-linux: a new root in memory with read-only binds of what may be read, then no rights to change it. The
 * first arguments are the folder to mount it on and the one to work in, then the paths to read up to `--`, those to write up to `--`, then the
 * command.
 */
const NEW_ROOT = `set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1; work=$2; shift 2
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
while [ "$1" != -- ]; do
  mkdir -p "$root$1"
  mount --rbind "$1" "$root$1"
  shift
done
shift
mkdir -p "$root/proc" "$root/tmp" "$root/.old"
chmod 1777 "$root/tmp"
mount -t proc none "$root/proc"
cd "$root"
pivot_root . .old
umount -l /.old
cd "$work"
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`

function unshared(user: readonly string[]): (command: readonly string[], access: Access) => string[] {
  return (command, { readable, writable, network }) => {
    const paths = [...visible(readable), ...DEVICES]
    const root = [...paths, ...writable].some((path) => path.startsWith('/mnt/')) ? '/media' : '/mnt'
    return [
      ...NICE,
      ...['setpriv', '--pdeathsig', 'KILL', 'unshare', ...user, '--mount', '--pid', '--ipc', '--uts'],
      ...(network === 'none' ? ['--net'] : []),
      ...['--fork', '--kill-child', '--', 'sh', '-c', NEW_ROOT, 'sandbox', root, workFolder(writable)],
      ...[...paths, '--', ...writable, '--'],
      ...command,
    ]
  }
}

/** A sandbox in which nothing is visible but what is given. */
function closedBy(how: string, enter: (command: readonly string[], access: Access) => readonly string[]): Sandbox {
  return {
    describe: `closed: no network, no files, no other processes, by ${how}`,
    isClosed: true,
    commandIn: (command, readable) => enter(command, { readable, writable: [], network: 'none' }),
    installIn: (command, { readable, writable }) =>
      enter(command, { readable: [...NETWORK, ...readable], writable, network: 'shared' }),
  }
}

/** Tried in this order. */
export const sandboxes: readonly Sandbox[] = [
  closedBy('bubblewrap', bubblewrap),
  closedBy('unshare', unshared(['--user', '--map-root-user'])),
  closedBy('unshare as root', unshared([])),
  {
    describe: 'open: no network, but files and processes of this user, by unshare',
    isClosed: false,
    commandIn: (command) => [...NICE, 'unshare', '--user', '--map-current-user', '--net', '--', ...command],
    installIn: (command) => [...NICE, ...command],
  },
  {
    describe: 'open: neither bwrap nor unshare works on this machine, so compilers have all rights of this user',
    isClosed: false,
    commandIn: (command) => [...NICE, ...command],
    installIn: (command) => [...NICE, ...command],
  },
]

const noSandbox: Sandbox = {
  describe: 'open and at normal priority: not even nice works on this machine',
  isClosed: false,
  commandIn: (command) => command,
  installIn: (command) => command,
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
