// The duration of every request as a metric, and a log line at level debug.
import type { IncomingMessage } from 'node:http'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'

export type AnsweredRequest = {
  readonly requestId: string
  readonly request: Pick<IncomingMessage, 'method' | 'url'>
  /** The label of its route. */
  readonly route: string
  readonly status: number
  readonly ms: number
}

export type LogRequest = (answered: AnsweredRequest) => void

export function createRequestLog(metrics: Metrics, log: Log): LogRequest {
  const duration = metrics.histogram(
    'firstlight_http_request_seconds',
    'Time from request to answer by route and HTTP status',
    ['route', 'status'],
    [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  )
  return ({ requestId, request: { method, url }, route, status, ms }) => {
    duration.observe({ route, status }, ms / 1000)
    if (log.isLevelEnabled('debug')) log.debug({ requestId, method, path: url!.split('?')[0], status, ms }, 'request')
  }
}
