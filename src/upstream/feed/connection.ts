// One connection to a feed, from the handshake to its end: closed, broken, unresponsive or silent; the JSON in its WebSocket frames, plain
// or compressed with brotli, with a mark byte before it or without; and where the next connection resumes.

import { brotliDecompressSync } from 'node:zlib'
import { WebSocket } from 'ws'
import type { FlashblockMessage } from '../../contract/flashblock.ts'

export type Listening = {
  readonly url: string
  readonly limits: ListenLimits
  onOpen(): void
  onFrame(frame: Uint8Array): void
}

export type ListenLimits = {
  readonly handshakeMs: number
  /** Time between pings; a peer that sends nothing for a whole interval is gone. */
  readonly pingMs: number
  /** A feed that answers pings but sends nothing for so long is worth a new connection. */
  readonly silenceMs: number
  readonly maxMessageBytes: number
}

/** Ends with the reason, and never throws. */
export function listen({ url, limits, onOpen, onFrame }: Listening, signal: AbortSignal): Promise<string> {
  if (signal.aborted) return Promise.resolve(STOPPED)
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = new WebSocket(url, {
    maxPayload: limits.maxMessageBytes,
    handshakeTimeout: limits.handshakeMs,
    followRedirects: true,
  })
  let isAlive = true
  let lastFrameMs = performance.now()
  const end = (reason: string): void => {
    resolve(reason)
    socket.terminate()
  }
  const stop = (): void => end(STOPPED)
  const beat = (): void => {
    if (socket.readyState !== WebSocket.OPEN) return
    const isSilent = performance.now() - lastFrameMs > limits.silenceMs
    if (!isAlive || isSilent) end(isAlive ? 'silent' : 'gone without a word')
    else socket.ping()
    isAlive = false
  }
  const heartbeat = setInterval(beat, limits.pingMs)
  signal.addEventListener('abort', stop, { once: true })
  socket.on('open', onOpen)
  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('message', (frame) => {
    isAlive = true
    lastFrameMs = performance.now()
    onFrame(frame as Buffer)
  })
  socket.on('error', (error) => end(error.message))
  socket.on('close', (code) => {
    clearInterval(heartbeat)
    signal.removeEventListener('abort', stop)
    end(`closed with ${code}`)
  })
  return promise
}

const STOPPED = 'stopped'

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

/**
 * Where a feed resumes after a break. A relay of ours sends what was missed in between; feeds that do not know the parameters ignore them,
 * and one that refuses them is asked without.
 */
export type Resuming = {
  received(message: FlashblockMessage): void
  urlOf(upstream: number): string
  /** The connection ended, or never began, for this reason. */
  ended(upstream: number, reason: string): void
}

export function createResuming(urls: readonly string[]): Resuming {
  const isAskedWithout = urls.map(() => false)
  /** From any upstream: what others sent meanwhile is not missing. */
  let last: { readonly block_number: number; readonly flashblock_index: number } | null = null
  return {
    received({ index, metadata }) {
      last = { block_number: metadata.block_number, flashblock_index: index }
    },
    urlOf(upstream) {
      const url = new URL(urls[upstream]!)
      if (last === null || isAskedWithout[upstream]) return url.href
      for (const [name, value] of Object.entries(last)) url.searchParams.set(name, String(value))
      return url.href
    },
    ended(upstream, reason) {
      // The next attempt is made without the parameters, or with them again; the form that works is used from then on.
      if (reason.startsWith(HTTP_REFUSAL)) isAskedWithout[upstream] = last !== null && !isAskedWithout[upstream]
    },
  }
}

/** The beginning of the WebSocket client's error where the server answers but refuses the handshake. */
const HTTP_REFUSAL = 'Unexpected server response'
