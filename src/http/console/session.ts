// The cookie of the console. It is sent to the console of this server only, never from another site, and hidden from scripts.
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Operator, SESSION_S } from '../../access/operator.ts'

const NAME = 'operator'

/** `auto` adds Secure where the request came over TLS. */
const ATTRIBUTES: CookieSerializeOptions = { path: '/console', httpOnly: true, sameSite: 'strict', secure: 'auto' }

export function sessionOf({ cookies }: FastifyRequest, operator: Operator): string | undefined {
  const value = cookies[NAME]
  return operator.isSession(value) ? value : undefined
}

export function openSession(reply: FastifyReply, operator: Operator): void {
  reply.setCookie(NAME, operator.newSession(), { ...ATTRIBUTES, maxAge: SESSION_S })
}

export function endSession(reply: FastifyReply): void {
  reply.setCookie(NAME, '', { ...ATTRIBUTES, maxAge: 0 })
}
