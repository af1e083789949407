// What a frame of a feed holds: JSON as it is, or compressed with brotli, with a mark before it or without.
import { brotliDecompressSync } from 'node:zlib'

/** Throws where it is neither, or longer than `maxBytes` once it is unpacked. */
export function jsonFromFrame(frame: Uint8Array, maxBytes: number): unknown {
  if (frame.length > maxBytes) throw new RangeError(`a frame of ${frame.length} bytes`)
  return JSON.parse(Buffer.from(plainBytes(frame, maxBytes)).toString('utf8'))
}

function plainBytes(frame: Uint8Array, maxBytes: number): Uint8Array {
  const first = frame.find((byte) => !BLANKS.has(byte))
  if (first === OPENING_BRACE) return frame
  const packed = frame[0] === BROTLI_MARK ? frame.subarray(1) : frame
  return brotliDecompressSync(packed, { maxOutputLength: maxBytes })
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const OPENING_BRACE = 0x7b
const BROTLI_MARK = 0x1e
