// A PostgreSQL server for one run: a new cluster that listens on loopback only and is deleted afterwards.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { descendantsOf } from '../test/support/descendants.ts'
import { freePort } from '../test/support/free-port.ts'
import { postgresPrograms } from './prerequisites.ts'
import { capture } from './run.ts'

export type TestPostgres = {
  url: string
  /** Ends the server and every connection; its data stays for `resume`. */
  pause: () => Promise<void>
  /** The same without a goodbye: kill -9 of the server and all its processes. */
  kill: () => Promise<void>
  resume: () => Promise<void>
  /** All its processes hold still, and its connections stay open. */
  freeze: () => void
  thaw: () => void
  /** A second server that streams from this one. */
  startReplica: () => Promise<TestPostgres>
  /** A replica becomes a primary of its own. */
  promote: () => Promise<void>
  /** False after it ended by itself, as it does where its disk is full. */
  isRunning: () => boolean
  stop: () => Promise<void>
}

type Cluster = {
  readonly programs: string
  readonly folder: string
  readonly data: string
  readonly asOwner: SpawnOptions
}

const START_TRIES = 600
const TRY_EVERY_MS = 200

/** Its data is in a new folder inside `within`. */
export async function startPostgres({ within = tmpdir() }: { within?: string } = {}): Promise<TestPostgres> {
  const cluster = await newCluster(within)
  await runProgram(cluster, 'initdb', ['-U', 'firstlight', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  return startCluster(cluster)
}

async function startReplicaOf(url: string): Promise<TestPostgres> {
  const cluster = await newCluster(tmpdir())
  await runProgram(cluster, 'pg_basebackup', ['-d', url, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
  return startCluster(cluster)
}

async function newCluster(within: string): Promise<Cluster> {
  const programs = await postgresPrograms()
  const folder = mkdtempSync(join(within, 'firstlight-postgres-'))
  const owner = await unprivilegedOwner()
  if (owner) {
    chownSync(folder, owner.uid, owner.gid)
    chmodSync(folder, 0o700)
  }
  return { programs, folder, data: join(folder, 'data'), asOwner: { ...owner, cwd: folder } }
}

async function runProgram({ programs, data, asOwner }: Cluster, name: string, args: readonly string[]): Promise<void> {
  const { code, output } = await capture(join(programs, name), ['-D', data, ...args], asOwner)
  if (code !== 0) throw new Error(`${name} failed:\n${output}`)
}

async function startCluster(cluster: Cluster): Promise<TestPostgres> {
  const { programs, folder, data, asOwner } = cluster
  const port = Number(await freePort())
  const url = `postgres://firstlight@127.0.0.1:${port}/postgres`
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'max_connections=200',
  ]
  let server: ChildProcess
  const resume = async () => {
    const own = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...asOwner,
      stdio: 'ignore',
    })
    server = own
    await accepting(port, () => own.exitCode !== null)
  }
  const pauseServer = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    // SIGINT is PostgreSQL's "fast" shutdown.
    server.kill('SIGINT')
    await once(server, 'exit')
  }
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const pid of [server.pid!, ...descendantsOf(server.pid!)]) process.kill(pid, signal)
  }
  await resume()
  return {
    url,
    pause: pauseServer,
    resume,
    kill: async () => {
      const exit = once(server, 'exit')
      signalAll('SIGKILL')
      await exit
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    startReplica: () => startReplicaOf(url),
    promote: () => runProgram(cluster, 'pg_ctl', ['promote', '-w']),
    isRunning: () => server.exitCode === null && server.signalCode === null,
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) signalAll('SIGCONT')
      await pauseServer()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package created, or as nobody. */
async function unprivilegedOwner(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => capture('id', [flag, name])))
    if (uid!.code === 0 && gid!.code === 0) return { uid: Number(uid!.output), gid: Number(gid!.output) }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody')
}

async function accepting(port: number, ended: () => boolean): Promise<void> {
  const { default: pg } = await import('pg')
  for (let i = 0; i < START_TRIES && !ended(); i++) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'firstlight', database: 'postgres' })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await pause(TRY_EVERY_MS)
    }
  }
  throw new Error('PostgreSQL did not start')
}
