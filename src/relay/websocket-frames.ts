// One message as the WebSocket frames that it is sent in (RFC 6455, section 5.2). A server never masks, so the same bytes go to every
// subscriber and each encoding is built once. The plain frame is there from the start; a compressed one is built off this thread when it is
// first asked for, and `onCompressed` reports it.
import { brotliCompress, constants, deflateRaw } from 'node:zlib'

/** `deflate`: permessage-deflate without context takeover, so that one result suits every client. `brotli`: binary messages. */
export type Encoding = 'plain' | 'deflate' | 'brotli'

type Frames = {
  /** Undefined while it is being compressed. */
  in: (encoding: Encoding) => Buffer | undefined
}

/** A sync flush ends in these bytes, which permessage-deflate leaves out. */
const FLUSH_TAIL_BYTES = 4
/** The fastest: the first subscriber waits for it. */
const DEFLATE_LEVEL = 1
/** The quality that other feeds use. */
const BROTLI_QUALITY = 5

export function createFrames(text: string, onCompressed: (bytes: number) => void): Frames {
  const plain = webSocketFrame(Buffer.from(text), { opcode: 'text' })
  const frames = new Map<Encoding, Buffer | 'being compressed'>([['plain', plain]])
  return {
    in: (encoding) => {
      const frame = frames.get(encoding)
      if (frame instanceof Buffer) return frame
      if (frame === undefined && encoding !== 'plain') {
        frames.set(encoding, 'being compressed')
        compressors[encoding](payloadOf(plain), (frame) => {
          frames.set(encoding, frame)
          onCompressed(frame.length)
        })
      }
      return undefined
    },
  }
}

type Compress = (payload: Buffer, done: (frame: Buffer) => void) => void

const compressors: Readonly<Record<'deflate' | 'brotli', Compress>> = {
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

const FIN = 0x80
/** The payload is deflated (RFC 7692). */
const RSV1 = 0x40
const OPCODES = { text: 0x1, binary: 0x2 } as const

const LENGTH_IN_16_BITS = 126
const LENGTH_IN_64_BITS = 127
const SHORT_HEAD = 2
const MIDDLE_HEAD = 4
const LONG_HEAD = 10

type FrameKind = { readonly opcode: keyof typeof OPCODES; readonly deflated?: boolean }

export function webSocketFrame(payload: Uint8Array, kind: FrameKind): Buffer {
  const frame = frameStart(payload.length, kind, payload.length)
  frame.set(payload, frame.length - payload.length)
  return frame
}

/** The header of a frame for a payload of this length, with room for the first bytes of the payload behind it. */
export function frameStart(payloadBytes: number, { opcode, deflated = false }: FrameKind, room: number): Buffer {
  const headBytes = payloadBytes < LENGTH_IN_16_BITS ? SHORT_HEAD : payloadBytes < 2 ** 16 ? MIDDLE_HEAD : LONG_HEAD
  const frame = Buffer.allocUnsafeSlow(headBytes + room)
  frame[0] = FIN | OPCODES[opcode] | (deflated ? RSV1 : 0)
  if (headBytes === SHORT_HEAD) frame[1] = payloadBytes
  else if (headBytes === MIDDLE_HEAD) {
    frame[1] = LENGTH_IN_16_BITS
    frame.writeUInt16BE(payloadBytes, 2)
  } else {
    frame[1] = LENGTH_IN_64_BITS
    frame.writeBigUInt64BE(BigInt(payloadBytes), 2)
  }
  return frame
}

/** The payload inside such a WebSocket frame, not copied. */
export function payloadOf(frame: Buffer): Buffer {
  const length = frame[1]!
  return frame.subarray(
    length < LENGTH_IN_16_BITS ? SHORT_HEAD : length === LENGTH_IN_16_BITS ? MIDDLE_HEAD : LONG_HEAD,
  )
}
