// Bodies lie in memory from their first byte until their request is answered. Together, and those of one address, they may take no more
// than a budget: a body is refused by its declared length before it is read, a body without one as soon as it grows too large.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../../contract/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { addressGroup } from './admission.ts'

export type BodyBudget = {
  /** For the body of one request: adds bytes, which count until the response is closed, or throws a Failure where the budget is used up. */
  reservation: (ip: string, response: ServerResponse) => (bytes: number) => void
}

/** Bodies up to this size do not count: there are at most as many as connections, and honest calls must pass beside large bodies. */
const FREE_BYTES = 16_384
const ADDRESS_SHARE = 1 / 8
/** Room for two of the largest bodies. */
const MIN_ADDRESS_BYTES = 32_000_000
const RETRY_AFTER_S = 5

export function createBodyBudget({ maxBytes, metrics }: { maxBytes: number; metrics: Metrics }): BodyBudget {
  const maxOfAddress = Math.max(MIN_ADDRESS_BYTES, Math.floor(maxBytes * ADDRESS_SHARE))
  // An address is in the map only while it has bodies in flight.
  const byAddress = new Map<string, number>()
  let total = 0
  const refused = metrics.counter('firstlight_bodies_refused_total', 'Bodies refused because others used up the budget')
  metrics.gauge('firstlight_body_bytes', 'Bytes of large bodies whose requests are not answered yet', () => total)

  const add = (address: string, bytes: number): void => {
    total += bytes
    const left = (byAddress.get(address) ?? 0) + bytes
    if (left > 0) byAddress.set(address, left)
    else byAddress.delete(address)
  }

  return {
    reservation: (ip, response) => {
      let reserved = 0
      return (bytes) => {
        if (bytes <= FREE_BYTES) return
        const address = addressGroup(ip)
        const problem =
          total + bytes > maxBytes
            ? new Failure('notReady', 'Too many large requests are under way. Please try again.', {
                retryAfterS: RETRY_AFTER_S,
              })
            : (byAddress.get(address) ?? 0) + bytes > maxOfAddress &&
              new Failure(
                'tooManyRequests',
                'Too many large requests of this address are under way. Please try again.',
                {
                  retryAfterS: RETRY_AFTER_S,
                },
              )
        if (problem) {
          refused.inc()
          throw problem
        }
        add(address, bytes)
        if (reserved === 0) response.once('close', () => add(address, -reserved))
        reserved += bytes
      }
    },
  }
}

/**
 * For a refusal: a body that nobody reads would be received to its end all the same, unless the connection is closed. A small one is, so
 * that the connection can be used again.
 */
export function closeIfUnread({ headers, complete }: IncomingMessage, response: ServerResponse): void {
  const isLarge = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > FREE_BYTES
  if (isLarge && !complete) response.setHeader('connection', 'close')
}

/** Before routes are added. */
export function limitBodies(app: FastifyInstance, bodies: BodyBudget): void {
  app.addHook('onRequest', (request, reply, done) => {
    const declared = Number(request.headers['content-length'] ?? 0)
    try {
      // A body that its route does not take is refused by its length, so it does not count.
      if (declared <= request.routeOptions.bodyLimit) bodies.reservation(request.ip, reply.raw)(declared)
      done()
    } catch (error) {
      done(error as Failure)
    }
  })
  app.addHook('onError', (request, reply, _error, done) => {
    closeIfUnread(request.raw, reply.raw)
    done()
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.headers['transfer-encoding'] === undefined) return done(null, payload)
    const counted = countedStream(request, bodies.reservation(request.ip, reply.raw))
    done(null, payload.pipe(counted))
  })
}

/** Reserves in steps, so that a body of many small chunks does not cost many reservations. */
function countedStream(request: FastifyRequest, reserve: (bytes: number) => void): Transform {
  let uncounted = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      uncounted += chunk.length
      try {
        if (uncounted > FREE_BYTES) {
          reserve(uncounted)
          uncounted = 0
        }
        done(null, chunk)
      } catch (error) {
        done(error as Failure)
      }
    },
  })
  // Where nobody reads the body, because the request was refused or has ended, an error without a listener would end the process.
  counted.on('error', () => undefined)
  request.raw.once('error', (error) => counted.destroy(error))
  return counted
}
