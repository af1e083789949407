// The one place where answers and refusals of the explorer API get their wire form (§2.1, §7). Texts are pure ASCII.
import type { Answer, Endpoint } from '../contract/endpoint.ts'
import { Failure } from '../contract/failure.ts'
import { asciiJson, type Serializer } from './serializer.ts'

export const successText = ({ data, msg, truncated, nextCursor }: Answer<Endpoint>, serialize: Serializer): string => {
  const extras = truncated === undefined && nextCursor === undefined ? '' : extrasText({ truncated, nextCursor })
  return `{"code":"0","msg":${msg ? asciiJson(msg) : '""'},"data":${serialize(data)}${extras}}`
}

/** `,"truncated":true` and the like: JSON leaves out what is undefined. */
const extrasText = (extras: object): string => `,${asciiJson(extras).slice(1, -1)}`

export type Refused = { status: number; text: string; retryAfterS: number | undefined }

export const refusedFrom = (failure: Failure): Refused => ({
  status: failure.refusal.status,
  text: asciiJson({ code: failure.refusal.code, msg: failure.message, data: [] }),
  retryAfterS: failure.retryAfterS,
})

/** What a client may know of a bug: an id to quote, and nothing else. */
export const bugFailure = (requestId: string, cause: unknown): Failure =>
  new Failure('internal', `System error. Please quote the request id ${requestId}.`, { cause })
