// One text as the frames it is sent in, each made once. Plain is there at once; a compressed one is made off this thread when it is first
// asked for, and `onMade` tells when it can be had.
import { brotliCompress, constants, deflateRaw } from 'node:zlib'
import { payloadOf, webSocketFrame } from './websocket-frame.ts'

/** `deflate`: permessage-deflate without context takeover, so that one result suits every client. `brotli`: binary messages. */
export type Encoding = 'plain' | 'deflate' | 'brotli'

type Frames = {
  /** Undefined while it is being made. */
  in: (encoding: Encoding) => Buffer | undefined
}

/** A sync flush ends in these bytes, which permessage-deflate leaves out. */
const FLUSH_TAIL_BYTES = 4
/** The fastest: the first subscriber waits for it. */
const DEFLATE_LEVEL = 1
/** What the feeds of the field use. */
const BROTLI_QUALITY = 5

export function createFrames(text: string, onMade: (bytes: number) => void): Frames {
  const plain = webSocketFrame(Buffer.from(text), { opcode: 'text' })
  const made = new Map<Encoding, Buffer | 'in work'>([['plain', plain]])
  return {
    in: (encoding) => {
      const frame = made.get(encoding)
      if (frame instanceof Buffer) return frame
      if (frame === undefined && encoding !== 'plain') {
        made.set(encoding, 'in work')
        compressed[encoding](payloadOf(plain), (frame) => {
          made.set(encoding, frame)
          onMade(frame.length)
        })
      }
      return undefined
    },
  }
}

type Compress = (payload: Buffer, done: (frame: Buffer) => void) => void

const compressed: Readonly<Record<'deflate' | 'brotli', Compress>> = {
  deflate: (payload, done) =>
    deflateRaw(payload, { level: DEFLATE_LEVEL, finishFlush: constants.Z_SYNC_FLUSH }, (error, bytes) => {
      if (error) throw error
      done(webSocketFrame(bytes.subarray(0, -FLUSH_TAIL_BYTES), { opcode: 'text', deflated: true }))
    }),
  brotli: (payload, done) =>
    brotliCompress(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, (error, bytes) => {
      if (error) throw error
      done(webSocketFrame(bytes, { opcode: 'binary' }))
    }),
}
