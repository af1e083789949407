// The pending chain and its JSON-RPC as the rest of the program sees them, in whichever thread they are.
import { Failure } from '../../contract/failure.ts'
import type { Log } from '../../lib/log.ts'
import type { LedgerEvent } from '../../preconfirmations/ledger.ts'
import type { OutgoingText } from '../../relay/outgoing-flashblock.ts'
import type { RpcAnswer } from './server.ts'
import type { PendingStatus } from './status.ts'

export type RpcChannel = {
  /** Throws a `Failure`, at once or later, where too much is under way, or nobody answers. */
  answer(text: string): RpcAnswer | Promise<RpcAnswer>
  /** A client that stays: `push` gets what it is told unasked. */
  connect(push: (text: string) => void): RpcClient
  /** Null until the chain's id is known. */
  status(): PendingStatus | null
  stop(): Promise<void>
}

export type RpcClient = { answer(text: string): RpcAnswer | Promise<RpcAnswer>; close(): void }

export type PendingListener = {
  readonly log: Log
  /** In order, each once. */
  readonly onFlashblock: (flashblock: OutgoingText, receivedMs: number) => void
  /** How long a flashblock took from its frame to the view that has it. */
  readonly onProcessed: (ms: number) => void
  /** What changed in the account of preconfirmations. */
  readonly onLedgerEvents?: (events: readonly LedgerEvent[]) => void
  /** It ended without having been told to. */
  readonly onDeath: (cause: Error) => void
}

/** Requests under way at once, of all clients. */
export const MAX_UNDER_WAY = 10_000

export function tooManyUnderWay() {
  return new Failure('tooManyRequests', `Requests too frequent: ${MAX_UNDER_WAY} wait for an answer.`, {
    retryAfterS: 1,
  })
}
