// The operator's login to the console: one token, and sessions signed with it, so that every process with the token accepts the sessions
// until they end or are signed out. A new token ends all sessions.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { EndedSessionStore } from '../store/keys/ended-sessions.ts'

export const SESSION_S = 12 * 3_600
const SESSION = /^(\d{13})\.[\w-]{22}\.[\w-]{43}$/

export type Operator = {
  isToken: (given: string) => boolean
  /** Valid for SESSION_S. */
  newSession: () => string
  isSession: (given: string | undefined) => Promise<boolean>
  /** No process accepts the session from now on. */
  endSession: (session: string) => Promise<void>
  /** Part of every form on the pages of a session. Another site can make the browser send the cookie, but does not know this token. */
  formTokenOf: (session: string) => string
  isFormToken: (session: string, given: string | undefined) => boolean
}

export function createOperator(options: {
  readonly token: string
  readonly ended: Pick<EndedSessionStore, 'end' | 'isEnded'>
  readonly nowMs: () => number
}): Operator {
  const { token, ended, nowMs } = options
  const sealed = (purpose: string, text: string): string =>
    createHmac('sha256', token).update(`${purpose}\n${text}`).digest('base64url')
  return {
    isToken: (given) => isSame(given, token),
    newSession: () => {
      const open = `${nowMs() + SESSION_S * 1000}.${randomBytes(16).toString('base64url')}`
      return `${open}.${sealed('session', open)}`
    },
    isSession: async (given = '') => {
      const open = given.slice(0, given.lastIndexOf('.'))
      const isOurs = SESSION.test(given) && isSame(given, `${open}.${sealed('session', open)}`)
      return isOurs && endMsOf(given) > nowMs() && !(await ended.isEnded(hashOf(given)))
    },
    endSession: (session) => ended.end(hashOf(session), endMsOf(session)),
    formTokenOf: (session) => sealed('form', session),
    isFormToken: (session, given = '') => isSame(given, sealed('form', session)),
  }
}

function endMsOf(session: string): number {
  return Number(SESSION.exec(session)?.[1])
}

function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Takes the same time for every input. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hashOf(a), hashOf(b))
}
