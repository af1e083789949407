// One file out of a gzipped tar archive, as npm packs them.
import { gunzipSync } from 'node:zlib'

const BLOCK_BYTES = 512
const NAME_BYTES = 100
const SIZE_AT = 124
const SIZE_DIGITS = 12
const MAX_UNPACKED_BYTES = 200_000_000

export function fileFromTarball(tarball: Uint8Array, path: string): Uint8Array | null {
  const archive = gunzipSync(tarball, { maxOutputLength: MAX_UNPACKED_BYTES })
  for (let at = 0; at + BLOCK_BYTES <= archive.length; ) {
    const name = archive.toString('utf8', at, at + NAME_BYTES).replace(/\0.*$/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + SIZE_AT, at + SIZE_AT + SIZE_DIGITS), 8) || 0
    const start = at + BLOCK_BYTES
    if (name === path) return archive.subarray(start, start + size)
    at = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
  }
  return null
}
