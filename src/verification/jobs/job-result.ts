// What a job came to, as it is stored with it and told to whoever asks.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { FailureCode, FailureDetails, MatchLevel } from '../matching/verdict.ts'
import type { ProxyKind } from '../proxies/resolve.ts'

export type Outcome = Verified | ProxyFound | Failed

export type Verified = {
  readonly type: 'verified'
  readonly match: MatchLevel
  readonly runtime: MatchLevel
  readonly creation: MatchLevel | null
  /** `file:Name`. */
  readonly contract: string
}

export type ProxyFound = { readonly type: 'proxy'; readonly kind: ProxyKind; readonly implementation: Hex }

export type Failed = {
  readonly type: 'failed'
  readonly code: FailureCode | JobFailureCode
  /** Sentences for the user. */
  readonly message: string
  readonly details: FailureDetails
}

/** Beside what a verdict can say. */
export type JobFailureCode =
  | 'node_unavailable'
  | 'not_a_proxy'
  | 'other_implementation'
  | 'job_abandoned'
  | 'job_timeout'
  | 'internal_error'

export function failed(code: Failed['code'], message: string, details: FailureDetails = {}): Failed {
  return {
    type: 'failed',
    code,
    message,
    details,
  }
}
