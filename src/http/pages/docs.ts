// API documentation at /docs: the viewer, the OpenAPI document, and signing of requests in the browser.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../../contract/failure.ts'
import { isFromLoopback } from '../admission/admission.ts'
import { openapiDocument } from '../api/openapi.ts'
import { addAsset, assetPaths } from './assets.ts'
import type { Pages } from './pages.ts'

/** The viewer needs inline styles; scripts come from this server only. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export function addDocsRoutes(
  app: FastifyInstance,
  options: {
    chain: { shortName: string }
    pages: Pages
    /** Folder of the built browser part. */
    webDir: string
    /** Given to browsers on this machine, so that "Try it out" works without input. */
    devKey: Readonly<Record<'key' | 'secret' | 'passphrase', string>> | undefined
  },
): void {
  const { chain, webDir, devKey, pages } = options
  const pathOf = assetPaths(webDir)
  const assets = { script: pathOf('web/islands/try-it.ts'), style: pathOf('web/styles/docs.css') }
  let text: string | undefined
  /** Built at the first request, since building it would delay the start of the server. */
  const document = (): string => {
    text ??= JSON.stringify(openapiDocument(chain.shortName))
    return text
  }
  const viewerDir = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const config = { label: 'docs' }

  app.get('/docs', { config }, async (request, reply) =>
    pages.show(
      request,
      reply,
      { page: 'docs', data: { hasDevKey: devKey !== undefined, assets } },
      { 'content-security-policy': POLICY },
    ),
  )
  app.get('/docs/openapi.json', { config }, async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(document()),
  )
  addAsset(app, {
    path: '/docs/assets/swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
    bytes: readFileSync(join(viewerDir, 'swagger-ui-bundle.js')),
  })
  if (devKey) {
    app.get('/docs/dev-key.json', { config }, async (request, reply) => {
      // The host is checked as well: otherwise another site could point its name at this machine and read the key.
      const isLocal =
        isFromLoopback(request) && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '')
      if (!isLocal) throw new Failure('unknownPath', 'The development key is shown on this machine only.')
      return reply.removeHeader('access-control-allow-origin').header('cache-control', 'no-store').send(devKey)
    })
  }
}
