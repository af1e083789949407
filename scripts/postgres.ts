// A PostgreSQL server for one run: a new cluster that listens on loopback only and is deleted afterwards.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { postgresPrograms } from './prerequisites.ts'
import { capture } from './run.ts'

export type TestPostgres = {
  url: string
  /** Ends the server and every connection; its data stays for `resume`. */
  pause: () => Promise<void>
  resume: () => Promise<void>
  stop: () => Promise<void>
}

const START_TRIES = 600
const TRY_EVERY_MS = 200

export async function startPostgres(): Promise<TestPostgres> {
  const programs = await postgresPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-postgres-'))
  const owner = await unprivilegedOwner()
  if (owner) {
    chownSync(folder, owner.uid, owner.gid)
    chmodSync(folder, 0o700)
  }
  const asOwner = { ...owner, cwd: folder }
  const data = join(folder, 'data')
  const initdb = await capture(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'firstlight', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    asOwner,
  )
  if (initdb.code !== 0) throw new Error(`initdb failed:\n${initdb.output}`)
  const port = Number(await freePort())
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
    if (server.exitCode !== null) return
    // SIGINT is PostgreSQL's "fast" shutdown.
    server.kill('SIGINT')
    await once(server, 'exit')
  }
  await resume()
  return {
    url: `postgres://firstlight@127.0.0.1:${port}/postgres`,
    pause: pauseServer,
    resume,
    stop: async () => {
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
