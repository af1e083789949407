// What an endpoint is: one value from which routes, validation, the OpenAPI document, the handler table and the typed
// client derive. `params` describes the query of a GET and the JSON body of a POST, `data` the array inside the envelope.
import type { z } from 'zod'
import { Failure, type FailureKey } from './failure.ts'

export type Endpoint = {
  /** Number in the spec (E1 to E19), or the spec number it belongs to with a letter. */
  id: string
  method: 'GET' | 'POST'
  /** Below `/api/v5/<segment>`. */
  path: string
  summary: string
  description?: string
  params: z.ZodObject
  data: z.ZodType<readonly unknown[]>
  /** Largest body in bytes where it is not the usual one. */
  bodyLimit?: number
}

export type InputOf<E extends Endpoint> = z.input<E['params']>
export type ParamsOf<E extends Endpoint> = z.output<E['params']>
export type DataOf<E extends Endpoint> = z.output<E['data']>

/** What a handler gives for one request; the envelope adds `code` and `msg`. */
export type Answer<E extends Endpoint> = {
  data: DataOf<E>
  /** The JSON of `data`, where the handler has it in parts already; it must be what JSON.stringify gives. */
  dataJson?: () => string
  msg?: string
  /** There were more results than the limit of E17 to E19 (docs/spec-gaps.md#28). */
  truncated?: boolean
  /** Cursor for `after`, where the answer has no paging element to carry it. */
  nextCursor?: string
  /** It may change before the chain does, so the response is not cached. Not sent. */
  isVolatile?: boolean
}

/** The envelope as it goes over the wire (§2.1). */
export type Envelope<E extends Endpoint = Endpoint> = {
  code: string
  msg: string
  data: DataOf<E>
  truncated?: boolean
  nextCursor?: string
}

/** Parsed parameters, or a Failure that names the first wrong one and says what would be right. */
export function paramsFrom<E extends Endpoint>(endpoint: E, raw: Readonly<Record<string, unknown>>): ParamsOf<E> {
  const given: Record<string, unknown> = {}
  for (const name of Object.keys(endpoint.params.shape)) {
    if (!Object.hasOwn(raw, name)) continue
    const value = raw[name]
    // Blank means absent: `?page=` asks for the default, a blank required parameter is missing.
    if (value !== '' && value !== null) given[name] = value
  }
  const result = endpoint.params.safeParse(given)
  if (result.success) return result.data as ParamsOf<E>
  throw failureFrom(endpoint, result.error.issues[0]!, given)
}

function failureFrom(endpoint: Endpoint, issue: z.core.$ZodIssue, given: Record<string, unknown>): Failure {
  const name = issue.path.join('.')
  const value = valueAt(given, issue.path)
  if (value === undefined) return new Failure('parameterMissing', `Parameter ${name} can not be empty.`)
  if (endpoint.method === 'GET' && Array.isArray(value)) {
    return new Failure('parameterWrong', `Parameter ${name} error: given more than once.`)
  }
  if (keyOf(issue) === 'tooManyValues') {
    return new Failure('tooManyValues', `Parameter ${name} count exceeds the limit: ${issue.message}.`)
  }
  return new Failure('parameterWrong', `Parameter ${name} error: ${issue.message}.`)
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], root)
}

function keyOf(issue: z.core.$ZodIssue): FailureKey | undefined {
  return issue.code === 'custom' ? (issue.params?.key as FailureKey | undefined) : undefined
}
