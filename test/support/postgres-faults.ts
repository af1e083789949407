// What can happen to a PostgreSQL server and to the way to it. Each fault begins, must show in /ready, and ends.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { TestPostgres } from '../../scripts/postgres.ts'
import type { Ready } from './server-under-faults.ts'
import type { SmallDisk } from './small-disk.ts'
import type { TcpProxy } from './tcp-proxy.ts'

export type StorageFault = {
  readonly name: string
  readonly begin: () => Promise<void> | void
  readonly end: () => Promise<void> | void
  readonly isNoticed: (ready: Ready) => boolean
  /** Nothing undoes it. */
  readonly isPermanent?: boolean
}

export function postgresFaults(options: {
  readonly postgres: TestPostgres
  readonly proxy: TcpProxy
  readonly disk: SmallDisk | undefined
  /** Makes the server read which blocks it has. */
  readonly poke: () => Promise<unknown>
}): StorageFault[] {
  const { postgres, proxy, disk, poke } = options
  const isNoticed = ({ ready, reasons }: Ready) => !ready && /database|PostgreSQL/.test(reasons.join())
  const isWaiting = ({ reasons, warnings }: Ready) =>
    /has not answered a statement|PostgreSQL/.test([...reasons, ...warnings].join())
  return [
    { name: 'PostgreSQL stopped', begin: postgres.pause, end: postgres.resume, isNoticed },
    { name: 'PostgreSQL killed', begin: postgres.kill, end: postgres.resume, isNoticed },
    { name: 'PostgreSQL frozen', begin: postgres.freeze, end: postgres.thaw, isNoticed },
    { name: 'connections half open', begin: () => proxy.swallow('swallowed'), end: proxy.heal, isNoticed },
    { name: 'open connections half open, new ones pass', begin: () => proxy.swallow('pass'), end: () => {}, isNoticed },
    // It stays frozen: the server must do without it.
    { name: 'one backend frozen', begin: () => freezeReader(postgres.url, poke), end: () => {}, isNoticed: isWaiting },
    ...(disk === undefined ? [] : [fullDisk(postgres, disk)]),
  ]
}

/** PostgreSQL itself may end on a full disk; then it is started again, as its supervisor would. */
function fullDisk(postgres: TestPostgres, disk: SmallDisk): StorageFault {
  return {
    name: 'PostgreSQL disk full',
    begin: disk.fill,
    end: async () => {
      disk.free()
      await pause(1_000)
      if (!postgres.isRunning()) await postgres.resume()
    },
    isNoticed: ({ ready, reasons }) => !ready && /disk of PostgreSQL is full|database|PostgreSQL/.test(reasons.join()),
  }
}

/** One process of the server holds still in the middle of a statement of ours, one that a lock made wait. */
async function freezeReader(url: string, poke: () => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table stored_ranges in access exclusive mode')
    for (;;) {
      poke().catch(() => undefined)
      // A transaction sees the activity of one moment.
      await client.query('select pg_stat_clear_snapshot()')
      const { rows } = await client.query(`
        select pid
        from pg_stat_activity
        where application_name = 'firstlight' and wait_event_type = 'Lock' and state = 'active'
          and pid not in (select pid from pg_locks where locktype = 'advisory' and granted)`)
      if (rows.length > 0) {
        process.kill(rows[0].pid, 'SIGSTOP')
        break
      }
      await pause(50)
    }
    await client.query('rollback')
  } finally {
    await client.end()
  }
}

/** The primary answers in place of the replica, so the server stays ready and warns. */
export function replicaFaults(replica: TestPostgres): StorageFault[] {
  const isNoticed = ({ ready, warnings }: Ready) => ready && /replica/.test(warnings.join())
  return [
    { name: 'replica frozen', begin: replica.freeze, end: replica.thaw, isNoticed },
    { name: 'replica stopped', begin: replica.pause, end: replica.resume, isNoticed },
    { name: 'replica promoted', begin: replica.promote, end: () => {}, isNoticed, isPermanent: true },
  ]
}
