// The reader's preferences for every page, stored in cookies: theme and clock.
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Theme } from '../../../web/parts/page/page-shell.ts'
import type { Clock } from '../../../web/parts/text/clock.ts'
import { oneOf } from './visit.ts'

const YEAR_S = 31_536_000
const ATTRIBUTES = { path: '/', maxAge: YEAR_S, sameSite: 'lax' } as const
const THEMES = ['system', 'light', 'dark'] as const satisfies Theme[]
const CLOCKS = ['age', 'local', 'utc', 'unix'] as const satisfies Clock[]

export function preferencesOf({ headers }: FastifyRequest): { theme: Theme; clock: Clock } {
  return {
    theme: oneOf(THEMES, cookieOf(headers.cookie, 'theme')),
    clock: oneOf(CLOCKS, cookieOf(headers.cookie, 'clock')),
  }
}

/** Every page needs this, and the page of an unknown path is rendered outside of any scope that could parse cookies. */
function cookieOf(cookies = '', name: string): string | undefined {
  return cookies
    .split(';')
    .map((each) => each.trim().split('='))
    .find(([each]) => each === name)?.[1]
}

/** For readers without JavaScript: sets the cookies, and redirects to the page that the reader came from. */
export function addPreferenceRoutes(app: FastifyInstance): void {
  app.register(async (scope) => {
    await scope.register(cookie, { hook: false })
    scope.get('/settings', { config: { label: 'settings' } }, async (request, reply) => {
      const query = request.query as Readonly<Record<string, unknown>>
      const theme = THEMES.find((each) => each === query.theme)
      const clock = CLOCKS.find((each) => each === query.clock)
      if (theme) reply.setCookie('theme', theme, ATTRIBUTES)
      if (clock) reply.setCookie('clock', clock, ATTRIBUTES)
      return reply.redirect(backFrom(query.back), 303)
    })
  })
}

/** Redirects only to a path of this server. */
function backFrom(back: unknown): string {
  return typeof back === 'string' && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(back) ? back : '/'
}
