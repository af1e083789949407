import type { IncomingMessage } from 'node:http'
import type { RequestContext } from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'

/** After this time the client gets a refusal, and the signal of the handler is aborted. */
const ANSWER_TIMEOUT_MS = 10_000

/** Creates the signal on first use: most handlers never use it. */
export class LazyRequestContext implements RequestContext {
  readonly requestId: string
  readonly #raw: IncomingMessage
  #controller: AbortController | undefined
  #reason: unknown

  constructor(requestId: string, raw: IncomingMessage) {
    this.requestId = requestId
    this.#raw = raw
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
      this.#raw.socket.once('close', () => this.abort(new Error('the client closed the connection')))
    }
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    this.#reason ??= reason
    this.#controller?.abort(reason)
  }
}

/** Rejects with a Failure after the timeout. One promise and no race: this stands on the way of every request. */
export function withinTime<T>(answer: Promise<T>, context: { abort: (reason: unknown) => void }): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const failure = new Failure('requestTimeout', `No answer within ${ANSWER_TIMEOUT_MS / 1000} s. Please try again.`)
      context.abort(failure)
      reject(failure)
    }, ANSWER_TIMEOUT_MS)
    answer.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
