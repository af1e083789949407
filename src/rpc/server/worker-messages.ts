// What the pending thread and the main thread say to each other. Everything here is plain data.
import type { ForkSchedule } from '../../chain/rules/forks.ts'
import type { LogLevel } from '../../lib/log.ts'
import type { LedgerEvent } from '../../preconfirmations/ledger.ts'
import type { OutgoingText } from '../../relay/outgoing-flashblock.ts'
import type { PendingStatus } from './status.ts'

export type PendingServiceOptions = {
  readonly nodeUrls: readonly string[]
  /** Null: no feed is followed, and `pending` is what the node has. */
  readonly feedUrls: readonly string[] | null
  /** Null: by the interval observed. */
  readonly staleMs: number | null
  readonly latest: 'canonical' | 'preconfirmed'
  /** Null: told from the blocks. */
  readonly schedule: ForkSchedule | null
  readonly gasCap: bigint
  readonly callTimeoutMs: number
}

export type WorkerInput = { readonly options: PendingServiceOptions; readonly logLevel: LogLevel }

export type ToWorker =
  | { readonly type: 'requests'; readonly requests: readonly WorkerRequest[] }
  | { readonly type: 'connect'; readonly connection: number }
  | { readonly type: 'close'; readonly connection: number }
  | { readonly type: 'stop' }

export type WorkerRequest = readonly [id: number, text: string, connection: number | null]

/** Answers, and what a connection is told unasked, in order: news must not overtake the answer that announced them. */
export type ToClient =
  | readonly [type: 'answer', id: number, text: string | undefined, ageMs: number | null]
  | readonly [type: 'push', connection: number, text: string]

export type FromWorker =
  | { readonly type: 'log'; readonly line: string }
  | { readonly type: 'clients'; readonly told: readonly ToClient[] }
  | { readonly type: 'flashblock'; readonly flashblock: OutgoingText; readonly receivedMs: number }
  | { readonly type: 'processed'; readonly ms: number }
  | { readonly type: 'ledger'; readonly events: readonly LedgerEvent[] }
  | { readonly type: 'status'; readonly status: PendingStatus | null }
