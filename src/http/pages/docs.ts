// API documentation at /docs in the web explorer: the viewer, and signing of requests in the browser.
import type { FastifyInstance } from 'fastify'
import { Failure } from '../../contract/failure.ts'
import { isOnThisMachine } from '../admission/admission.ts'
import { addViewerRoutes, VIEWER_POLICY } from './api-viewer.ts'
import { assetPaths } from './assets.ts'
import type { Pages } from './pages.ts'

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
  const config = { label: 'docs' }
  addViewerRoutes(app, chain)

  app.get('/docs', { config }, async (request, reply) =>
    pages.show(
      request,
      reply,
      { page: 'docs', data: { hasDevKey: devKey !== undefined, assets } },
      { 'content-security-policy': VIEWER_POLICY },
    ),
  )
  if (devKey) {
    app.get('/docs/dev-key.json', { config }, async (request, reply) => {
      if (!isOnThisMachine(request))
        throw new Failure('unknownPath', 'The development key is shown on this machine only.')
      return reply.removeHeader('access-control-allow-origin').header('cache-control', 'no-store').send(devKey)
    })
  }
}
