// Messages on a pipe between this process and a compiler's process: four bytes of length, then as many bytes of text. Both sides
// import this file, so it imports nothing.

const HEADER_BYTES = 4

export function messageHeader(length: number): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(length)
  return header
}

export type MessageReader = { push: (chunk: Uint8Array) => void }

/** Calls `onMessage` with each whole message, and `onTooLong` once, as soon as a header announces more than `maxBytes`. */
export function createMessageReader(
  maxBytes: number,
  { onMessage, onTooLong }: { onMessage: (text: string) => void; onTooLong?: (length: number) => void },
): MessageReader {
  let chunks: Uint8Array[] = []
  let bufferedBytes = 0
  let messageBytes: number | undefined
  let isRefused = false

  return {
    push: (chunk) => {
      if (isRefused) return
      chunks.push(chunk)
      bufferedBytes += chunk.length
      for (;;) {
        const needed = messageBytes ?? HEADER_BYTES
        if (bufferedBytes < needed) return
        const joined = chunks.length === 1 ? Buffer.from(chunks[0]!) : Buffer.concat(chunks)
        const rest = joined.subarray(needed)
        chunks = rest.length > 0 ? [rest] : []
        bufferedBytes = rest.length
        if (messageBytes === undefined) {
          messageBytes = joined.readUInt32BE()
          if (messageBytes > maxBytes) {
            isRefused = true
            chunks = []
            onTooLong?.(messageBytes)
            return
          }
        } else {
          messageBytes = undefined
          onMessage(joined.toString('utf8', 0, needed))
        }
      }
    },
  }
}
