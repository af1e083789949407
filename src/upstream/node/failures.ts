// Errors of an exchange with the node. A second attempt may succeed, at the same URL or at another one.
export abstract class UpstreamError extends Error {}

/** No answer that could be read. */
export class ExchangeFailure extends UpstreamError {
  override readonly name = 'ExchangeFailure'
  readonly kind: ExchangeFailureKind
  /** As the node requested. */
  readonly retryAfterMs: number | null

  constructor(kind: ExchangeFailureKind, message: string, rest: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: rest.cause })
    this.kind = kind
    this.retryAfterMs = rest.retryAfterMs ?? null
  }
}

export type ExchangeFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'throttled'
  | 'server'
  | 'unreadable'
  | 'too large'
  /** One refusal in answer to many calls: too many, or any number of them. */
  | 'batch refused'

/** An answer that does not add up, or fits no question of ours. */
export class BadAnswer extends UpstreamError {
  override readonly name = 'BadAnswer'
}

/** The node says "not now". */
export class PassingRefusal extends UpstreamError {
  override readonly name = 'PassingRefusal'
}

/** All URLs failed for as long as we are willing to wait. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeUnavailable'
}

/** A block is not there, or does not follow the one before: the chain changed while it was read. */
export class BrokenChain extends Error {
  override readonly name = 'BrokenChain'
  readonly height: number

  constructor(height: number, problem: string) {
    super(`block ${height} ${problem}`)
    this.height = height
  }
}
