// A way to bring calls to one URL and answers back. Whoever implements it says "no" only by an `ExchangeFailure`.
import type { Answer, RpcCall } from './json-rpc.ts'

export type Transport = {
  /** At least one call. Answers in order. */
  exchange(calls: readonly RpcCall[], signal: AbortSignal): Promise<Answer[]>
  close(): void
}

export type TransportLimits = {
  /** For one exchange, connecting included. */
  readonly timeoutMs: number
  /** Of one answer. */
  readonly maxBytes: number
}
