// The built files for the browser. Each is read at start and compressed at its first request. Browsers cache them forever, since their
// names change with their content.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { encodingOf } from './compression.ts'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

type Manifest = Readonly<Record<string, { readonly file: string }>>

/** Path of a built file by its source: `assetPath(webDir)('web/islands/site.ts')`. */
export function assetPaths(webDir: string): (source: string) => string {
  const manifest = JSON.parse(readFileSync(join(webDir, 'client', 'manifest.json'), 'utf8')) as Manifest
  return (source) => {
    const entry = manifest[source]
    if (!entry) throw new Error(`${source} is not among the built files: run npm run build`)
    return `/assets/${entry.file}`
  }
}

export function addAssetRoutes(app: FastifyInstance, webDir: string): void {
  const folder = join(webDir, 'client')
  for (const name of readdirSync(folder)) {
    const type = types[name.split('.').at(-1)!]
    if (type) addAsset(app, { path: `/assets/${name}`, type, bytes: readFileSync(join(folder, name)) })
  }
  addAsset(app, { path: '/icon.svg', type: 'image/svg+xml', bytes: Buffer.from(ICON) })
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** The best compression of a large file would take seconds. */
const LARGE_BYTES = 500_000
function qualityOf({ length }: Buffer) {
  return {
    params: { [constants.BROTLI_PARAM_QUALITY]: length > LARGE_BYTES ? 5 : constants.BROTLI_MAX_QUALITY },
  }
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** A file whose name does not change with its content is cached for one day. */
export function addAsset(
  app: FastifyInstance,
  { path, type, bytes }: { path: string; type: string; bytes: Buffer },
): void {
  const bodies = {
    br: once(() => brotli(bytes, qualityOf(bytes))),
    gzip: once(() => gzipped(bytes)),
    identity: () => bytes,
  }
  const lifetime = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=86400'
  app.get(path, { config: { label: 'asset' } }, async (request, reply) => {
    const coding = encodingOf(request.headers['accept-encoding'])
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply
      .header('content-type', type)
      .header('cache-control', lifetime)
      .header('vary', 'accept-encoding')
      .header('x-content-type-options', 'nosniff')
      .send(await bodies[coding]())
  })
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#e8722c"><path d="M6 15a6 6 0 0 1 12 0z"/><path fill="none" stroke="#e8722c" stroke-width="1.75" stroke-linecap="round" d="M12 3v3M4.2 7.2l2 2M19.8 7.2l-2 2M2 18.5h20M6 22h12"/></svg>'
