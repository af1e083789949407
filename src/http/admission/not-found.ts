import type { FastifyInstance, HTTPMethods } from 'fastify'
import { endpoints } from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import { nearestOf } from '../../lib/nearest.ts'

const METHODS = ['GET', 'POST'] as const satisfies HTTPMethods[]

/** A method that the path does take, where it takes another than the one asked with. */
export function otherMethodOf(app: FastifyInstance, method: string, target: string): string | undefined {
  return METHODS.find((each) => each !== method && app.findRoute({ method: each, url: pathOf(target) }) !== null)
}

/** Says whether the path exists with another method, or which endpoint was probably meant. */
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
  return new Failure('unknownPath', `There is nothing at this path.${hint} See /docs for all endpoints.`)
}

function pathOf(target: string): string {
  return target.split('?')[0]!
}
