import type { FastifyInstance, HTTPMethods } from 'fastify'
import { endpoints } from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import { nearestOf } from '../../lib/nearest.ts'

const METHODS = ['GET', 'POST'] as const satisfies HTTPMethods[]

/** The method that the path accepts, where the request used another one. */
export function otherMethodOf(app: FastifyInstance, method: string, target: string): string | undefined {
  return METHODS.find((each) => each !== method && app.findRoute({ method: each, url: pathOf(target) }) !== null)
}

export type UnknownRequest = {
  readonly method: string
  readonly target: string
  /** The method that the path accepts. */
  readonly other: string | undefined
  /** Whether GET or POST of this path is answered. */
  readonly exists: (path: string) => boolean
}

/** Names the right method, or the endpoint that was probably meant. */
export function notFoundFailure({ method, target, other, exists }: UnknownRequest): Failure {
  const path = pathOf(target)
  if (other) return new Failure('methodNotAllowed', `Invalid request method: ${path} takes ${other}, not ${method}.`)
  const near = path.length > MAX_PATH_CHARS ? undefined : endpointNear(path, exists)
  const hint = near ? ` Did you mean ${near}?` : ''
  return new Failure('unknownPath', `This path does not exist.${hint} See /docs for all endpoints.`)
}

/** A longer path is not compared with the known ones, because that would take long. */
const MAX_PATH_CHARS = 120

/** The whole path of an endpoint that exists, where the start (`/api/v5/chain`) may be missing, mistyped or in another case. */
function endpointNear(path: string, exists: (path: string) => boolean): string | undefined {
  const words = path.split('/').filter((word) => word !== '')
  const start = words.findIndex((word) => !/^(api|v\d+)$/i.test(word))
  const rest = start === -1 ? [] : words.slice(start)
  const isOfApi = start > 0
  return readings(rest, isOfApi, exists).find((each) => each !== undefined && exists(each))
}

/** First with the first word as the chain's segment, if it is one; then with the segment left out; then with another word for it. */
function readings(rest: readonly string[], isOfApi: boolean, exists: (path: string) => boolean) {
  const segment = rest[0]?.toLowerCase()
  if (segment !== undefined && paths.some((path) => exists(`/api/v5/${segment}${path}`))) {
    return [nearest(segment, rest.slice(1))]
  }
  if (isOfApi) return [nearest('chain', rest), nearest('chain', rest.slice(1))]
  const operation = `/${rest.join('/')}`.toLowerCase()
  return paths.filter((path) => path.toLowerCase() === operation).map((path) => `/api/v5/chain${path}`)
}

function nearest(segment: string, words: readonly string[]): string | undefined {
  const near = nearestOf(`/${words.join('/')}`, paths)
  return near && `/api/v5/${segment}${near}`
}

const paths = Object.values(endpoints).map(({ path }) => path)

function pathOf(target: string): string {
  return target.split('?')[0]!
}
