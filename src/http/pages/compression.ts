import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type ContentEncoding = 'br' | 'gzip' | 'identity'

export function encodingOf(accept = ''): ContentEncoding {
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?(,|$))/.test(accept)) return 'br'
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?(,|$))/.test(accept) ? 'gzip' : 'identity'
}

/** Low levels: a page is sent once, and the best compression would cost more than rendering it. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}
const GZIP = { level: 4 }

const brotli = promisify(brotliCompress)
const deflated = promisify(gzip)

export async function compress(text: string, coding: ContentEncoding): Promise<Buffer> {
  switch (coding) {
    case 'br':
      return brotli(text, BROTLI)
    case 'gzip':
      return deflated(text, GZIP)
    case 'identity':
      return Buffer.from(text)
  }
}
