// The one place where answers and refusals of the explorer API get their wire form (§2.1, §7).
import type { Answer, Endpoint } from '../../contract/endpoint.ts'
import { Failure } from '../../contract/failure.ts'

export function successBytes(answer: Answer<Endpoint>): Buffer {
  const { msg = '', truncated, nextCursor } = answer
  const rest = JSON.stringify({ truncated, nextCursor })
  const tail = rest === '{}' ? '}' : `,${rest.slice(1)}`
  const data = answer.dataJson ? answer.dataJson() : JSON.stringify(answer.data)
  return Buffer.from(`{"code":"0","msg":${JSON.stringify(msg)},"data":${data}${tail}`)
}

export type Refused = { status: number; text: string; retryAfterS: number | undefined }

export function refusedFrom(failure: Failure): Refused {
  return {
    status: failure.refusal.status,
    text: JSON.stringify({ code: failure.refusal.code, msg: failure.message, data: [] }),
    retryAfterS: failure.retryAfterS,
  }
}

/** What a client may know of a bug: an id to quote, and nothing else. */
export function bugFailure(requestId: string, cause: unknown): Failure {
  return new Failure('internal', `System error. Please quote the request id ${requestId}.`, { cause })
}
