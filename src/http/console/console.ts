// The console: API keys and their usage, behind the operator token. It has plain pages and forms, so it works in any browser. A form is
// accepted only with the token of its session.
import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConsoleKey } from '../../../web/pages/console.tsx'
import type { View } from '../../../web/render.tsx'
import type { KeyRing, ListedKey } from '../../access/key-ring.ts'
import { nameProblem, passphraseProblem } from '../../access/key-rules.ts'
import type { KeyUsage } from '../../access/key-usage.ts'
import { type Operator, SESSION_S } from '../../access/operator.ts'
import type { RateLimiter } from '../../access/rate-limits.ts'
import { Failure } from '../../contract/failure.ts'
import { type Admission, addressGroup, isCrossSite, parseForm } from '../admission/admission.ts'
import { failureOf } from '../admission/failures.ts'
import type { Pages } from '../pages/pages.ts'

const MAX_FORM_BYTES = 4_096
const PAGE_KEYS = 50
const USAGE_DAYS = 30

const COOKIE = 'operator'
/** It is sent to the console of this server only, never from another site, and hidden from scripts. `auto` adds Secure where the request
 * came over TLS. */
const COOKIE_ATTRIBUTES: CookieSerializeOptions = {
  path: '/console',
  httpOnly: true,
  sameSite: 'strict',
  secure: 'auto',
}

export type ConsoleOptions = {
  readonly operator: Operator
  readonly keyRing: KeyRing
  readonly usage: KeyUsage
  readonly admission: Pick<Admission, 'limitAddress'>
  /** Attempts of one address to sign in. */
  readonly tries: RateLimiter
  readonly pages: Pick<Pages, 'show' | 'showFailure'>
}

type Form = Readonly<Record<string, string>>

export function addConsoleRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  const { operator, keyRing, usage, admission, tries, pages } = options

  const sessionOf = async ({ cookies }: FastifyRequest): Promise<string | undefined> => {
    const value = cookies[COOKIE]
    return (await operator.isSession(value)) ? value : undefined
  }
  const show = (request: FastifyRequest, reply: FastifyReply, view: View): Promise<FastifyReply> => {
    // Scripts of other sites may read the API, but not the console.
    reply.raw.removeHeader('access-control-allow-origin')
    return pages.show(request, reply, view, { 'cache-control': 'no-store' })
  }
  const showSignIn = (request: FastifyRequest, reply: FastifyReply, problem?: string): Promise<FastifyReply> =>
    show(request, reply.status(problem === undefined ? 200 : 401), { page: 'consoleSignIn', data: { problem } })

  const withUsage = async (listed: readonly ListedKey[]): Promise<ConsoleKey[]> => {
    const sums = await usage.sums(
      listed.map(({ key }) => key),
      USAGE_DAYS,
    )
    return listed.map((key) => ({
      ...key,
      requests: sums.get(key.key)?.requests ?? 0,
      lastMs: sums.get(key.key)?.lastMs ?? null,
    }))
  }
  const showKeys = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session: string,
    problem?: { text: string; name: string },
  ): Promise<FastifyReply> => {
    // Newest first.
    const all = (await keyRing.list()).reverse()
    const totalPage = Math.max(1, Math.ceil(all.length / PAGE_KEYS))
    const asked = Number((request.query as Form).page ?? 1)
    const page = Number.isSafeInteger(asked) ? Math.min(Math.max(1, asked), totalPage) : 1
    const keys = await withUsage(all.slice((page - 1) * PAGE_KEYS, page * PAGE_KEYS))
    return show(request, reply.status(problem ? 400 : 200), {
      page: 'console',
      data: {
        keys,
        active: all.filter(({ revokedMs }) => revokedMs === null).length,
        position: { page, limit: PAGE_KEYS, totalPage },
        days: USAGE_DAYS,
        formToken: operator.formTokenOf(session),
        problem,
      },
    })
  }

  /** The session of a form; refuses a form that is not from a page of that session. */
  const signedIn = async (request: FastifyRequest, form: Form): Promise<string> => {
    const session = await sessionOf(request)
    if (session === undefined)
      throw new Failure('keyMissing', 'Your session has ended: open /console and sign in again.')
    if (!operator.isFormToken(session, form.formToken)) {
      throw new Failure('parameterWrong', 'This form is not from your session: open /console and try again.')
    }
    return session
  }

  app.register(async (scope) => {
    await scope.register(cookie)
    await scope.register(formbody, { bodyLimit: MAX_FORM_BYTES, parser: parseForm })
    scope.setErrorHandler((error, request, reply) => pages.showFailure(request, reply, failureOf(error, request.id)))
    const shared = { onRequest: admission.limitAddress, config: { label: 'console' } }

    scope.get('/console', shared, async (request, reply) => {
      const session = await sessionOf(request)
      return session === undefined ? showSignIn(request, reply) : showKeys(request, reply, session)
    })
    scope.post('/console/sign-in', shared, async (request, reply) => {
      if (isCrossSite(request)) throw new Failure('parameterWrong', 'This form was sent from another site.')
      const { allowed, retryAfterS } = await tries.take(addressGroup(request.ip))
      if (!allowed)
        throw new Failure('tooManyRequests', 'Too many attempts to sign in from this address.', { retryAfterS })
      if (!operator.isToken(formOf(request).token ?? '')) return showSignIn(request, reply, 'That is not the token.')
      reply.setCookie(COOKIE, operator.newSession(), { ...COOKIE_ATTRIBUTES, maxAge: SESSION_S })
      return reply.redirect('/console', 303)
    })
    scope.post('/console/sign-out', shared, async (request, reply) => {
      await operator.endSession(await signedIn(request, formOf(request)))
      reply.setCookie(COOKIE, '', { ...COOKIE_ATTRIBUTES, maxAge: 0 })
      return reply.redirect('/console', 303)
    })
    scope.post('/console/keys', shared, async (request, reply) => {
      const form = formOf(request)
      const session = await signedIn(request, form)
      const { name = '', passphrase = '' } = form
      const refused = nameProblem(name) ?? passphraseProblem(passphrase)
      if (refused) return showKeys(request, reply, session, { text: refused, name })
      const { key, secret } = await keyRing.issue({ name: name.trim(), passphrase })
      return show(request, reply, { page: 'consoleIssued', data: { name: name.trim(), key, secret } })
    })
    scope.post<{ Params: { key: string } }>('/console/keys/:key/revoke', shared, async (request, reply) => {
      await signedIn(request, formOf(request))
      await keyRing.revoke(request.params.key)
      return reply.redirect('/console', 303)
    })
    scope.get<{ Params: { key: string } }>('/console/keys/:key', shared, async (request, reply) => {
      const session = await sessionOf(request)
      if (session === undefined) return showSignIn(request, reply)
      const listed = (await keyRing.list()).filter(({ key }) => key === request.params.key)
      const [key] = await withUsage(listed)
      if (!key) throw new Failure('unknownPath', 'There is no such key.')
      const uses = await usage.ofKey(key.key, USAGE_DAYS)
      return show(request, reply, {
        page: 'consoleKey',
        data: { key, uses, days: USAGE_DAYS, formToken: operator.formTokenOf(session) },
      })
    })
  })
}

function formOf({ body }: FastifyRequest): Form {
  return (body ?? {}) as Form
}
