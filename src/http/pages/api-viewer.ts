// What /docs shows: the OpenAPI document and the files of its viewer. A server without the web explorer has a plain page around them; there
// requests are not signed in the browser.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openapiDocument } from '../api/openapi.ts'
import { addAsset } from './assets.ts'

/** The viewer needs inline styles; scripts come from this server only. */
export const VIEWER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export function addViewerRoutes(app: FastifyInstance, { shortName }: { readonly shortName: string }): void {
  let text: string | undefined
  /** Built at the first request, since building it would delay the start of the server. */
  const document = (): string => {
    text ??= JSON.stringify(openapiDocument(shortName))
    return text
  }
  app.get('/docs/openapi.json', { config }, async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(document()),
  )
  addAsset(app, {
    path: '/docs/assets/swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
    bytes: viewerFile('swagger-ui-bundle.js'),
  })
}

/** For a server without the web explorer. */
export function addPlainDocsRoutes(
  app: FastifyInstance,
  chain: Readonly<Record<'shortName' | 'fullName', string>>,
): void {
  addViewerRoutes(app, chain)
  addAsset(app, {
    path: '/docs/assets/swagger-ui.css',
    type: 'text/css; charset=utf-8',
    bytes: viewerFile('swagger-ui.css'),
  })
  addAsset(app, {
    path: '/docs/assets/start.js',
    type: 'text/javascript; charset=utf-8',
    bytes: Buffer.from("SwaggerUIBundle({ url: '/docs/openapi.json', dom_id: '#viewer', validatorUrl: null })\n"),
  })
  app.get('/docs', { config }, async (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', VIEWER_POLICY)
      .send(plainPage(chain.fullName)),
  )
}

const config = { label: 'docs' }

function viewerFile(name: string): Buffer {
  return readFileSync(join(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')), name))
}

function plainPage(chainName: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>API of ${escaped(chainName)}</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<script src="/docs/assets/swagger-ui-bundle.js" defer></script>
<script src="/docs/assets/start.js" defer></script>
</head>
<body>
<p>Requests must be signed; this page shows them and does not sign. As a file: <a href="/docs/openapi.json">openapi.json</a></p>
<div id="viewer"></div>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
