// What the pending thread and the main thread say to each other. Everything here is plain data.
import type { ForkSchedule } from '../../chain/forks.ts'
import type { AccountEvent } from '../../flashblocks/account.ts'
import type { OutgoingText } from '../../flashblocks/hub/outgoing.ts'
import type { LogLevel } from '../../lib/log.ts'
import type { RpcAnswer } from '../rpc.ts'
import type { PendingStatus } from './status.ts'

export type RpcThreadOptions = {
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

export type ThreadInput = { readonly options: RpcThreadOptions; readonly logLevel: LogLevel }

export type ToThread =
  | { readonly type: 'request'; readonly id: number; readonly text: string; readonly connection: number | null }
  | { readonly type: 'connect'; readonly connection: number }
  | { readonly type: 'close'; readonly connection: number }
  | { readonly type: 'stop' }

export type FromThread =
  | { readonly type: 'log'; readonly line: string }
  | { readonly type: 'answer'; readonly id: number; readonly answer: RpcAnswer }
  | { readonly type: 'push'; readonly connection: number; readonly text: string }
  | { readonly type: 'flashblock'; readonly flashblock: OutgoingText; readonly receivedMs: number }
  | { readonly type: 'processed'; readonly ms: number }
  | { readonly type: 'account'; readonly events: readonly AccountEvent[] }
  | { readonly type: 'status'; readonly status: PendingStatus }
