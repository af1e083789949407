// Bodies lie in memory from their first byte until their request is answered. Together, and those of one address, they may take no more
// than a budget. A body is refused by its declared length before it is read; what counts are the bytes that have arrived, so that a head
// whose body never comes takes nothing from others.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../../contract/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { addressGroup } from './admission.ts'

export type BodyBudget = {
  /** For the body of one request. */
  bodyOf: (ip: string, response: ServerResponse) => CountedBody
}

/** Both refuse with a Failure. */
export type CountedBody = {
  /** Refuses a length that does not fit into what is left now. It reserves nothing. */
  announced: (bytes: number) => void
  /** Counts bytes until the response is closed, or refuses them. */
  arrived: (bytes: number) => void
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
  const refused = metrics.counter(
    'firstlight_bodies_refused_total',
    'Bodies refused because others used up the budget of the process, or of the address',
    ['budget'],
  )
  for (const budget of ['process', 'address']) refused.inc({ budget }, 0)
  metrics.gauge('firstlight_body_bytes', 'Bytes of large bodies whose requests are not answered yet', () => total)
  metrics.gauge('firstlight_body_budget_bytes', 'What large bodies may take together', () => maxBytes)

  const add = (address: string, bytes: number): void => {
    total += bytes
    const left = (byAddress.get(address) ?? 0) + bytes
    if (left > 0) byAddress.set(address, left)
    else byAddress.delete(address)
  }
  const problemWith = (address: string, bytes: number): Failure | undefined => {
    const retry = { retryAfterS: RETRY_AFTER_S }
    if (total + bytes > maxBytes) {
      refused.inc({ budget: 'process' })
      return new Failure('notReady', 'Too many large requests are under way. Please try again.', retry)
    }
    if ((byAddress.get(address) ?? 0) + bytes <= maxOfAddress) return undefined
    refused.inc({ budget: 'address' })
    const message = 'Too many large requests of this address are under way. Please try again.'
    return new Failure('tooManyRequests', message, retry)
  }

  return {
    bodyOf: (ip, response) => {
      let counted = 0
      let uncounted = 0
      const refuseUnlessFits = (address: string, bytes: number): void => {
        const problem = problemWith(address, bytes)
        if (problem) throw problem
      }
      return {
        announced: (bytes) => {
          if (bytes > FREE_BYTES) refuseUnlessFits(addressGroup(ip), bytes)
        },
        // In steps, so that many small chunks do not cost much.
        arrived: (bytes) => {
          uncounted += bytes
          if (uncounted <= FREE_BYTES) return
          const address = addressGroup(ip)
          refuseUnlessFits(address, uncounted)
          add(address, uncounted)
          if (counted === 0) response.once('close', () => add(address, -counted))
          counted += uncounted
          uncounted = 0
        },
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
    const declared = declaredBytes(request)
    try {
      // A body that its route does not take is refused by its length anyway.
      if (declared <= request.routeOptions.bodyLimit) bodies.bodyOf(request.ip, reply.raw).announced(declared)
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
    const isSmall = request.headers['transfer-encoding'] === undefined && declaredBytes(request) <= FREE_BYTES
    if (isSmall || declaredBytes(request) > request.routeOptions.bodyLimit) return done(null, payload)
    const counted = countedStream(request, bodies.bodyOf(request.ip, reply.raw))
    done(null, payload.pipe(counted))
  })
}

function declaredBytes({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0)
}

function countedStream(request: FastifyRequest, { arrived }: CountedBody): Transform {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        arrived(chunk.length)
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
