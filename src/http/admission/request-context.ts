import type { FastifyRequest } from 'fastify'
import type { RequestContext } from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import { addressGroup } from './admission.ts'

/** After this time the client gets a refusal, and the signal of the handler is aborted. */
const ANSWER_TIMEOUT_MS = 10_000

/** Creates the signal and the name of the client on first use: most handlers never use them. */
export class LazyRequestContext implements RequestContext {
  readonly requestId: string
  readonly #request: FastifyRequest
  readonly #key: string | undefined
  #controller: AbortController | undefined
  #reason: unknown

  /** `key`: the id of the key that the request was admitted with. */
  constructor(request: FastifyRequest, key?: string) {
    this.requestId = request.id
    this.#request = request
    this.#key = key
  }

  get client(): string {
    return this.#key === undefined ? addressGroup(this.#request.ip) : `key ${this.#key}`
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
      this.#request.raw.socket.once('close', () => this.abort(new Error('the client closed the connection')))
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
