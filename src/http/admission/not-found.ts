import type { FastifyInstance, HTTPMethods } from 'fastify'
import { endpoints } from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import { nearestOf } from '../../lib/nearest.ts'

const METHODS = ['GET', 'POST'] as const satisfies HTTPMethods[]

/** The method that the path accepts, where the request used another one. */
export function otherMethodOf(app: FastifyInstance, method: string, target: string): string | undefined {
  return METHODS.find((each) => each !== method && app.findRoute({ method: each, url: pathOf(target) }) !== null)
}

/** Names the right method, or the endpoint that was probably meant. */
export function notFoundFailure(method: string, target: string, other: string | undefined): Failure {
  const path = pathOf(target)
  if (other) return new Failure('methodNotAllowed', `Invalid request method: ${path} takes ${other}, not ${method}.`)
  const operation = /^\/api\/v5\/[^/]+(\/.{1,80})$/.exec(path)?.[1]
  const near =
    operation &&
    nearestOf(
      operation,
      Object.values(endpoints).map((endpoint) => endpoint.path),
    )
  const hint = near ? ` Did you mean ${path.slice(0, -operation.length)}${near}?` : ''
  return new Failure('unknownPath', `This path does not exist.${hint} See /docs for all endpoints.`)
}

function pathOf(target: string): string {
  return target.split('?')[0]!
}
