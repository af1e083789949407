// One WebSocket to a node, for its whole life: calls and their answers, and notifications of the node. Once closed it stays closed.

import { WebSocket } from 'ws'
import { unlessAborted } from '../../lib/async/wait.ts'
import { ExchangeFailure } from './failures.ts'
import type { Transport, TransportLimits } from './json-rpc.ts'
import { type Answer, answersIn, type RpcCall, requestText } from './json-rpc.ts'

export class RpcSocket {
  readonly #socket: WebSocket
  readonly #timeoutMs: number
  readonly #waiting = new Map<number, (outcome: { response: unknown } | { failure: ExchangeFailure }) => void>()
  readonly #closed = Promise.withResolvers<void>()
  #nextId = 1
  #isAlive = true
  onNotification: (message: unknown) => void = () => {}

  private constructor(socket: WebSocket, timeoutMs: number) {
    this.#socket = socket
    this.#timeoutMs = timeoutMs
    socket.on('message', (message) => this.#take(String(message)))
    const heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS)
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearInterval(heartbeat)
      for (const settle of this.#waiting.values())
        settle({ failure: new ExchangeFailure('unreachable', 'socket closed') })
      this.#waiting.clear()
      this.#closed.resolve()
    })
  }

  static async open(url: string, { timeoutMs, maxBytes }: TransportLimits, signal: AbortSignal): Promise<RpcSocket> {
    const socket = new WebSocket(url, { maxPayload: maxBytes, handshakeTimeout: timeoutMs })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (cause: unknown) => reject(new ExchangeFailure('unreachable', 'no WebSocket at this URL', { cause }))
    socket.once('open', () => resolve())
    socket.once('error', giveUp)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      signal.throwIfAborted()
      await promise
    } catch (error) {
      socket.once('error', () => undefined)
      socket.terminate()
      throw error
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
    socket.off('error', giveUp)
    return new RpcSocket(socket, timeoutMs)
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  get closed(): Promise<void> {
    return this.#closed.promise
  }

  async exchange(calls: readonly RpcCall[], signal: AbortSignal): Promise<Answer[]> {
    const firstId = this.#nextId
    this.#nextId += calls.length
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const timer = setTimeout(
      () => reject(new ExchangeFailure('timeout', 'no answer on the socket in time')),
      this.#timeoutMs,
    )
    const abandon = () => reject(signal.reason)
    signal.addEventListener('abort', abandon, { once: true })
    this.#waiting.set(firstId, (outcome) => {
      if ('failure' in outcome) reject(outcome.failure)
      else resolve(outcome.response)
    })
    try {
      signal.throwIfAborted()
      this.#socket.send(requestText(calls, firstId))
      const answers = answersIn(await promise, firstId, calls.length)
      if (answers === undefined) throw new ExchangeFailure('unreadable', 'answer on the socket fits no question')
      return answers
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abandon)
      this.#waiting.delete(firstId)
    }
  }

  close(): void {
    this.#socket.terminate()
  }

  /** Answers of a batch may come in any order: the lowest id is the one that we wait for. */
  #take(message: string): void {
    let response: unknown
    try {
      response = JSON.parse(message)
    } catch {
      this.#socket.terminate()
      return
    }
    const ids = (Array.isArray(response) ? response : [response]).map((item) => Number(item?.id))
    const settle = this.#waiting.get(Math.min(...ids))
    if (settle !== undefined) settle({ response })
    else if (!Array.isArray(response)) this.onNotification(response)
  }

  /** A peer that is gone without a word answers no ping. */
  #beat(): void {
    if (!this.#isAlive) {
      this.#socket.terminate()
      return
    }
    this.#isAlive = false
    this.#socket.ping()
  }
}

const HEARTBEAT_MS = 10_000

export function createSocketTransport(url: string, limits: TransportLimits): Transport {
  const closing = new AbortController()
  let opening: Promise<RpcSocket> | undefined
  let socket: RpcSocket | undefined
  const openSocket = async (): Promise<RpcSocket> => {
    if (socket?.isOpen) return socket
    opening ??= RpcSocket.open(url, limits, closing.signal).finally(() => {
      opening = undefined
    })
    socket = await opening
    return socket
  }
  return {
    exchange: async (calls, signal) => (await unlessAborted(openSocket(), signal)).exchange(calls, signal),
    close() {
      closing.abort()
      socket?.close()
    },
  }
}
