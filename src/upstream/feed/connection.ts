// One connection to a feed, from the handshake to its end, however that comes: closed, broken, gone without a word, or fallen silent.
import { WebSocket } from 'ws'

export type Listening = {
  readonly url: string
  readonly limits: ListenLimits
  onOpen(): void
  onFrame(frame: Uint8Array): void
}

export type ListenLimits = {
  readonly handshakeMs: number
  /** Between pings; a peer that let a whole one pass without a sign of life is gone. */
  readonly pingMs: number
  /** A feed that answers pings but tells nothing for so long is worth a new connection. */
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
  let heardMs = Date.now()
  const end = (reason: string): void => {
    resolve(reason)
    socket.terminate()
  }
  const stop = (): void => end(STOPPED)
  const beat = (): void => {
    if (socket.readyState !== WebSocket.OPEN) return
    const isSilent = Date.now() - heardMs > limits.silenceMs
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
    heardMs = Date.now()
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
