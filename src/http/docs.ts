// Interactive documentation at /docs: the bundled viewer, the OpenAPI document, and signing in the browser.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { docsPage } from '../../web/pages/docs.ts'
import { Failure } from '../contract/failure.ts'
import { isFromLoopback } from './admission.ts'
import { openapiDocument } from './openapi.ts'
import { assetPaths } from './pages/assets.ts'

/** The viewer styles its elements inline; scripts come from this server only. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const

export const addDocsRoutes = (
  app: FastifyInstance,
  options: {
    chain: { shortName: string; fullName: string }
    /** Folder of the built browser part. */
    webDir: string
    /** Shown to browsers on this machine, so that "Try it out" works at once. */
    devKey: Readonly<Record<'key' | 'secret' | 'passphrase', string>> | undefined
  },
): void => {
  const { chain, webDir, devKey } = options
  const pathOf = assetPaths(webDir)
  const page = docsPage({
    chainFullName: chain.fullName,
    chainShortName: chain.shortName,
    hasDevKey: devKey !== undefined,
    assets: { script: pathOf('web/islands/try-it.ts'), style: pathOf('web/styles/docs.css') },
  })
  const document = JSON.stringify(openapiDocument(chain.shortName))
  const viewerDir = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const config = { label: 'docs' }

  app.get('/docs', { config }, async (_request, reply) => html(reply, page))
  app.get('/docs/openapi.json', { config }, async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(document),
  )
  for (const file of [join(viewerDir, 'swagger-ui-bundle.js'), join(viewerDir, 'swagger-ui.css')]) {
    addAsset(app, file)
  }
  if (devKey) {
    app.get('/docs/dev-key.json', { config }, async (request, reply) => {
      // The host is checked as well, so that no foreign name can be pointed at this machine to read the key.
      const isLocal =
        isFromLoopback(request) && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '')
      if (!isLocal) throw new Failure('unknownPath', 'The development key is shown on this machine only.')
      return reply.removeHeader('access-control-allow-origin').header('cache-control', 'no-store').send(devKey)
    })
  }
}

const addAsset = (app: FastifyInstance, file: string): void => {
  const bytes = readFileSync(file)
  const type = types[file.endsWith('.css') ? 'css' : 'js']
  app.get(`/docs/assets/${file.split(/[\\/]/).at(-1)}`, { config: { label: 'docs' } }, async (_request, reply) =>
    reply.header('content-type', type).header('cache-control', 'public, max-age=3600').send(bytes),
  )
}

const html = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .send(page)
