// What a reader wishes of every page, kept in cookies: colours and the clock.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Theme } from '../../../web/parts/page/page-shell.ts'
import type { Clock } from '../../../web/parts/text/clock.ts'
import { oneOf } from './visit.ts'

const YEAR_S = 31_536_000
const THEMES = ['system', 'light', 'dark'] as const satisfies Theme[]
const CLOCKS = ['age', 'local', 'utc', 'unix'] as const satisfies Clock[]

export function preferencesOf({ headers }: FastifyRequest): { theme: Theme; clock: Clock } {
  return {
    theme: oneOf(THEMES, cookieOf(headers.cookie, 'theme')),
    clock: oneOf(CLOCKS, cookieOf(headers.cookie, 'clock')),
  }
}

function cookieOf(cookies = '', name: string): string | undefined {
  return cookies
    .split(';')
    .map((each) => each.trim().split('='))
    .find(([each]) => each === name)?.[1]
}

/** For readers without JavaScript: remembers, and leads back to the page they came from. */
export function addPreferenceRoutes(app: FastifyInstance): void {
  app.get('/settings', { config: { label: 'settings' } }, async (request, reply) => {
    const query = request.query as Readonly<Record<string, unknown>>
    const cookies = [
      ['theme', THEMES.find((theme) => theme === query.theme)],
      ['clock', CLOCKS.find((clock) => clock === query.clock)],
    ].flatMap(([name, value]) => (value ? [`${name}=${value}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`] : []))
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    return reply.redirect(backFrom(query.back), 303)
  })
}

/** Only to a path of this server. */
function backFrom(back: unknown): string {
  return typeof back === 'string' && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(back) ? back : '/'
}
