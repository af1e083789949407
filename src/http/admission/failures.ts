// Maps every error before or in a handler to a Failure.
import type { FastifyError } from 'fastify'
import { Failure, type FailureKey } from '../../contract/failure.ts'
import { isDatabaseUnavailable } from '../../lib/database-unavailable.ts'
import { bugFailure } from './envelope.ts'

/** Errors of the HTTP framework and of the parser, by code. */
const known: Readonly<Record<string, readonly [FailureKey, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['bodyTooLarge', 'The body is larger than this endpoint takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['contentType', 'Invalid Content-Type, please use "application/json".'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformedRequest', 'Content-Length does not match the body.'],
  FST_ERR_BAD_URL: ['malformedRequest', 'The path has a malformed percent-encoding.'],
  HPE_HEADER_OVERFLOW: ['headersTooLarge', 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['malformedRequest', 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['requestTimeout', 'The request did not arrive in time.'],
}

export function failureOf(error: unknown, requestId: string): Failure {
  if (error instanceof Failure) return error
  if (isDatabaseUnavailable(error)) {
    return new Failure('notReady', 'The database does not answer. Please try again.', { retryAfterS: 5, cause: error })
  }
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const [key, message] = known[code] ?? []
  if (key !== undefined && message !== undefined) return new Failure(key, message)
  if (statusCode >= 400 && statusCode < 500) return new Failure('malformedRequest', 'The request is malformed.')
  return bugFailure(requestId, error)
}

/** For a request that the HTTP parser could not read. */
export function parserFailure(code: string | undefined): Failure {
  const [key, message] = (code && known[code]) || ['malformedRequest', 'This is not a well-formed HTTP request.']
  return new Failure(key as FailureKey, message)
}
