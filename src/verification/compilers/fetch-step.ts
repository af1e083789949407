// How npm and pip are run: in the sandbox of compilers with a network, with none of this program's variables, a home of their own, and one
// new folder to write into. What they fetch is never run by this step. And how any helper program is run to its end.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Sandbox } from '../compile/sandbox.ts'

/** Where the registries are and how to reach them, as npm and pip read it. */
export type FetchEnvironment = Readonly<Record<string, string>>

const PASSED_ON =
  /^(PATH|(https?|all|no)_proxy|ssl_cert_(file|dir)|requests_ca_bundle|node_extra_ca_certs|pip_(index_url|extra_index_url|find_links|no_index|cert|client_cert|proxy|trusted_host|config_file)|npm_config_(registry|userconfig|globalconfig|cafile|strict_ssl|proxy|https_proxy|noproxy))$/i

/** What of the environment may be passed on. Settings that the user of this process has in a file are named by a variable. */
export function fetchEnvironmentFrom(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): FetchEnvironment {
  const passed = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && PASSED_ON.test(name) ? [[name, value] as const] : [],
  )
  const files = [
    ['npm_config_userconfig', join(home, '.npmrc')],
    ['PIP_CONFIG_FILE', join(home, '.pip', 'pip.conf')],
    ['PIP_CONFIG_FILE', join(home, '.config', 'pip', 'pip.conf')],
  ] as const
  return { ...Object.fromEntries(files.filter(([, file]) => existsSync(file))), ...Object.fromEntries(passed) }
}

export type FetchStep = {
  /** Gives the work a new folder in the parent folder, and removes it afterwards. */
  inNewFolder: <T>(parent: string, work: (step: FolderStep) => Promise<T>) => Promise<T>
  readonly environment: FetchEnvironment
}

export type FolderStep = {
  readonly folder: string
  /** The program may write into the folder, and read `readable` beside the system's programs. */
  run: (
    command: readonly string[],
    options: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly readable?: readonly string[] },
  ) => Promise<ProgramResult>
}

export function createFetchStep(options: {
  readonly environment: FetchEnvironment
  readonly sandbox: () => Promise<Sandbox>
}): FetchStep {
  const { environment, sandbox } = options
  // Certificates, settings and local indexes that a variable names.
  const named = Object.values(environment).filter((value) => isAbsolute(value) && existsSync(value))
  return {
    environment,
    inNewFolder: async (parent, work) => {
      await mkdir(parent, { recursive: true })
      const folder = await mkdtemp(join(parent, '.fetch-'))
      const home = join(folder, 'home')
      const env = {
        ...environment,
        PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
        HOME: home,
        TMPDIR: home,
        LC_ALL: 'C.UTF-8',
      }
      try {
        await mkdir(home)
        return await work({
          folder,
          run: async ([program, ...args], { signal, timeoutMs, readable = [] }) => {
            const found = locate(program!, environment.PATH ?? '')
            if (!found) return { type: 'failed', reason: `${program} is not installed` }
            const { installIn } = await sandbox()
            const access = { readable: [...named, ...found.readable, ...readable], writable: [folder] }
            const [command, ...rest] = installIn([found.file, ...args], access)
            return runProgram(command!, rest, { signal, timeoutMs, cwd: folder, env })
          },
        })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** A program by its path, or by its name in PATH, with the folders that it needs. */
function locate(program: string, path: string): { file: string; readable: string[] } | undefined {
  const candidates = isAbsolute(program) ? [program] : path.split(delimiter).map((folder) => join(folder, program))
  const file = candidates.find((each) => isAbsolute(each) && existsSync(each))
  if (file === undefined) return undefined
  const target = realpathSync(file)
  const inPackage = /^(.*\/node_modules\/[^/]+)\//.exec(target)
  return { file, readable: [file, inPackage ? inPackage[1]! : target] }
}

/** The output of a program, or one line with the reason of its failure. */
export type ProgramResult =
  | { readonly type: 'done'; readonly stdout: string }
  | { readonly type: 'failed'; readonly reason: string }

export type RunOptions = {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly cwd?: string
  /** All variables that it gets: those of this process contain secrets. */
  readonly env: Readonly<Record<string, string>>
}

const MAX_OUTPUT_CHARS = 16_000_000
const REASON_CHARS = 300

/** Throws when the signal aborts, after the program has ended. Processes that it started end with it. */
export function runProgram(command: string, args: readonly string[], options: RunOptions): Promise<ProgramResult> {
  const { signal, timeoutMs, cwd, env } = options
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>()
  if (signal.aborted) return Promise.reject(signal.reason)
  // Detached, so that it has a process group of its own, which can be killed as a whole.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  let failure: string | undefined
  const end = (reason: string): void => {
    failure ??= reason
    killGroup(child.pid)
  }
  const abort = (): void => end('it was aborted')
  const timer = setTimeout(() => end(`${command} took too long`), timeoutMs)
  signal.addEventListener('abort', abort, { once: true })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (stdout.length > MAX_OUTPUT_CHARS) end(`${command} printed too much`)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-MAX_OUTPUT_CHARS)
  })
  child.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error.code === 'ENOENT' ? `${command} is not installed` : error.message
  })
  child.on('close', (code, killedBy) => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    if (signal.aborted) return reject(signal.reason)
    if (code === 0 && failure === undefined) return resolve({ type: 'done', stdout })
    const reason = failure ?? errorLinesOf(stderr) ?? `${command} ended with ${killedBy ?? code}`
    resolve({ type: 'failed', reason: reason.slice(0, REASON_CHARS) })
  })
  return promise
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** The lines of stderr that name the error. */
function errorLinesOf(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .filter((line) => /error/i.test(line) && !/A complete log|Ignored the following/.test(line))
  return lines.slice(0, 2).join('; ') || stderr.trim() || undefined
}
