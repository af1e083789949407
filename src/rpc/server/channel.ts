// The pending chain and its JSON-RPC as the rest of the program uses them. The channel is the same whether they run in the calling thread
// (inline-channel.ts) or in a worker (worker-channel.ts).
import { Failure } from '../../contract/failure.ts'
import type { RpcAnswer } from './server.ts'
import type { PendingStatus } from './status.ts'

export type RpcChannel = {
  /** Throws or rejects with a `Failure` if too many requests are under way or the pending chain has ended. */
  answer(text: string): RpcAnswer | Promise<RpcAnswer>
  /** For a client that stays connected; `push` is called with its subscriber events. */
  connect(push: (text: string) => void): RpcClient
  /** Null until the chain id is known. */
  status(): PendingStatus | null
  stop(): Promise<void>
}

export type RpcClient = { answer: RpcChannel['answer']; close(): void }

/** Requests of all clients that wait for an answer. */
export const MAX_UNDER_WAY = 10_000

export function tooManyUnderWay(): Failure {
  return new Failure('tooManyRequests', `Requests too frequent: ${MAX_UNDER_WAY} wait for an answer.`, {
    retryAfterS: 1,
  })
}
