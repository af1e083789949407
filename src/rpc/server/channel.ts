// The pending chain and its JSON-RPC as the rest of the program uses them. The channel is the same whether they run in the calling thread
// (inline-channel.ts) or in a worker (worker-channel.ts).
import { Failure } from '../../contract/failure.ts'
import type { Caller } from '../state/client-work.ts'
import type { EventText } from '../state/scope.ts'
import type { RpcAnswer } from './server.ts'
import type { PendingStatus } from './status.ts'

export type RpcChannel = {
  /** Throws or rejects with a `Failure` if too many requests are under way or the pending chain has ended. */
  answer(text: string, caller: RpcCaller): RpcAnswer | Promise<RpcAnswer>
  /** For a client that stays connected. */
  connect(connected: ConnectedClient): RpcClient
  /** Null until the chain id is known. */
  status(): PendingStatus | null
  stop(): Promise<void>
}

export type RpcCaller = Caller & {
  /** For a channel that must pass on that nobody waits any more; most answers come without it. */
  whenGone(listener: () => void): void
}

export type ConnectedClient = {
  readonly client: string
  /** Sends each of the results to each of the subscriptions. */
  push(ids: readonly string[], results: readonly EventText[]): void
  /** Closes the connection for a reason that the client is given. */
  end(reason: string): void
}

/** What is under way when a client closes is abandoned. */
export type RpcClient = { answer(text: string): RpcAnswer | Promise<RpcAnswer>; close(): void }

/** Requests that wait for an answer, of all clients and of one. */
const MAX_UNDER_WAY = 10_000
const MAX_UNDER_WAY_OF_ONE = 1_000

export type RequestsUnderWay = {
  /** Refuses above the limit. */
  begin(client: string): void
  end(client: string): void
}

export function createRequestsUnderWay(): RequestsUnderWay {
  const byClient = new Map<string, number>()
  let all = 0
  return {
    begin(client) {
      const own = byClient.get(client) ?? 0
      if (all >= MAX_UNDER_WAY) throw tooMany(`${MAX_UNDER_WAY} wait for an answer`)
      if (own >= MAX_UNDER_WAY_OF_ONE) throw tooMany(`${MAX_UNDER_WAY_OF_ONE} of this client wait for an answer`)
      all++
      byClient.set(client, own + 1)
    },
    end(client) {
      all--
      const left = byClient.get(client)! - 1
      if (left === 0) byClient.delete(client)
      else byClient.set(client, left)
    },
  }
}

function tooMany(what: string): Failure {
  return new Failure('tooManyRequests', `Requests too frequent: ${what}.`, { retryAfterS: 1 })
}
