// The console's cookie: who is signed in, on this very server only.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Operator, SESSION_S } from '../../access/operator.ts'

const NAME = 'operator'
/** Sent nowhere but to the console, never by another site, and hidden from scripts. */
const ATTRIBUTES = 'Path=/console; HttpOnly; SameSite=Strict'

export function sessionOf({ headers }: FastifyRequest, operator: Operator): string | undefined {
  const [, value] = /(?:^|;\s*)operator=([^;]*)/.exec(headers.cookie ?? '') ?? []
  return operator.isSession(value) ? value : undefined
}

export function openSession(request: FastifyRequest, reply: FastifyReply, operator: Operator): void {
  void reply.header('set-cookie', cookie(request, operator.newSession(), SESSION_S))
}

export function endSession(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('set-cookie', cookie(request, '', 0))
}

/** Over TLS the cookie stays there. */
function cookie({ protocol }: FastifyRequest, value: string, maxAgeS: number): string {
  return `${NAME}=${value}; ${ATTRIBUTES}; Max-Age=${maxAgeS}${protocol === 'https' ? '; Secure' : ''}`
}

/** Browsers say where a form was sent from; whoever says nothing is no browser that could be misled. */
export function isCrossSite({ headers }: FastifyRequest): boolean {
  return !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined)
}
