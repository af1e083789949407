// The result of a verification job, as it is stored with the job and reported to its sender.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { FailureCode, FailureDetails, MatchLevel } from '../matching/verdict.ts'
import type { ProxyKind } from '../proxies/resolve-proxy.ts'

export type JobResult =
  | {
      readonly type: 'verified'
      readonly match: MatchLevel
      readonly runtime: MatchLevel
      readonly creation: MatchLevel | null
      /** `file:Name`. */
      readonly contract: string
    }
  | { readonly type: 'proxy'; readonly kind: ProxyKind; readonly implementation: Hex }
  | FailedJob

export type FailedJob = {
  readonly type: 'failed'
  readonly code: FailureCode | JobFailureCode
  /** Sentences for the user. */
  readonly message: string
  readonly details: FailureDetails
}

/** Failures that are not verdicts. */
export type JobFailureCode =
  | 'node_unavailable'
  | 'not_a_proxy'
  | 'other_implementation'
  | 'job_abandoned'
  | 'job_timeout'
  | 'compile_time_spent'
  | 'internal_error'

export function failedJob(code: FailedJob['code'], message: string, details: FailureDetails = {}): FailedJob {
  return { type: 'failed', code, message, details }
}
