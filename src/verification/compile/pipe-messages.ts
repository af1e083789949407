// Messages on a pipe: four bytes of length, then so many bytes.

const HEADER_BYTES = 4

export function frameHeader(length: number): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(length)
  return header
}

export type FrameReader = { push: (chunk: Uint8Array) => void }

/** Calls `onFrame` with each whole message; `onTooLong` once, as soon as one announces more than `maxBytes`. */
export function createFrameReader(
  maxBytes: number,
  { onFrame, onTooLong }: { onFrame: (frame: string) => void; onTooLong?: (length: number) => void },
): FrameReader {
  let chunks: Uint8Array[] = []
  let held = 0
  let wanted: number | null = null
  let refused = false

  return {
    push: (chunk) => {
      if (refused) return
      chunks.push(chunk)
      held += chunk.length
      for (;;) {
        const needed = wanted ?? HEADER_BYTES
        if (held < needed) return
        const joined = chunks.length === 1 ? Buffer.from(chunks[0]!) : Buffer.concat(chunks)
        const rest = joined.subarray(needed)
        chunks = rest.length > 0 ? [rest] : []
        held = rest.length
        if (wanted === null) {
          wanted = joined.readUInt32BE()
          if (wanted > maxBytes) {
            refused = true
            chunks = []
            onTooLong?.(wanted)
            return
          }
        } else {
          wanted = null
          onFrame(joined.toString('utf8', 0, needed))
        }
      }
    },
  }
}
