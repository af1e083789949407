// The operator's login to the console: one token, and sessions signed with it, so that every process with the token accepts the sessions.
// A new token ends all sessions.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

export const SESSION_S = 12 * 3_600
const SESSION = /^(\d{13})\.[\w-]{22}\.[\w-]{43}$/

export type Operator = {
  isToken: (given: string) => boolean
  /** Valid for SESSION_S. */
  newSession: () => string
  isSession: (given: string | undefined) => boolean
  /** Part of every form on the pages of a session. Another site can make the browser send the cookie, but does not know this token. */
  formTokenOf: (session: string) => string
  isFormToken: (session: string, given: string | undefined) => boolean
}

export function createOperator({ token, nowMs }: { token: string; nowMs: () => number }): Operator {
  const sealed = (purpose: string, text: string): string =>
    createHmac('sha256', token).update(`${purpose}\n${text}`).digest('base64url')
  return {
    isToken: (given) => isSame(given, token),
    newSession: () => {
      const open = `${nowMs() + SESSION_S * 1000}.${randomBytes(16).toString('base64url')}`
      return `${open}.${sealed('session', open)}`
    },
    isSession: (given = '') => {
      const [, endsMs] = SESSION.exec(given) ?? []
      const open = given.slice(0, given.lastIndexOf('.'))
      return endsMs !== undefined && isSame(given, `${open}.${sealed('session', open)}`) && Number(endsMs) > nowMs()
    },
    formTokenOf: (session) => sealed('form', session),
    isFormToken: (session, given = '') => isSame(given, sealed('form', session)),
  }
}

/** Takes the same time for every input. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}
