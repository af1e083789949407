// What can happen to a PostgreSQL server and to the way to it. Each fault begins, must show in /ready, and ends.
import type { TestPostgres } from '../../scripts/postgres.ts'
import type { Ready } from './server-under-faults.ts'
import type { TcpProxy } from './tcp-proxy.ts'

export type StorageFault = {
  readonly name: string
  readonly begin: () => Promise<void> | void
  readonly end: () => Promise<void> | void
  readonly isNoticed: (ready: Ready) => boolean
  /** Nothing undoes it. */
  readonly isPermanent?: boolean
}

export function postgresFaults(postgres: TestPostgres, proxy: TcpProxy): StorageFault[] {
  const isNoticed = ({ ready, reasons }: Ready) => !ready && /database|PostgreSQL/.test(reasons.join())
  return [
    { name: 'PostgreSQL stopped', begin: postgres.pause, end: postgres.resume, isNoticed },
    { name: 'PostgreSQL killed', begin: postgres.kill, end: postgres.resume, isNoticed },
    { name: 'PostgreSQL frozen', begin: postgres.freeze, end: postgres.thaw, isNoticed },
    { name: 'connections half open', begin: () => proxy.swallow('swallowed'), end: proxy.heal, isNoticed },
    { name: 'open connections half open, new ones pass', begin: () => proxy.swallow('pass'), end: () => {}, isNoticed },
  ]
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
