// One URL of the node: its transport at the right pace, its profile, and how it has behaved.

import { createSemaphore } from '../../lib/async/semaphore.ts'
import { backoffMs, unlessAborted } from '../../lib/async/wait.ts'
import { withoutCredentials } from '../../lib/log.ts'
import { ExchangeFailure, type UpstreamError } from './failures.ts'
import { createHttpTransport } from './http-transport.ts'
import type { Answer, RpcCall, TransportLimits } from './json-rpc.ts'
import { inParts } from './json-rpc.ts'
import { type Pace, type PaceLimits, paceAfter, startingPace } from './pace.ts'
import { type NodeProfile, probeProfile } from './profile.ts'
import { createSocketTransport } from './rpc-socket.ts'

/** How the requests went, for metrics: once a call, with the time of the exchange it was in. */
export type NodeObserver = (event: {
  readonly url: string
  readonly method: string
  readonly outcome: 'answered' | 'refused' | 'failed'
  readonly ms: number
}) => void

export type EndpointLimits = TransportLimits & {
  readonly maxConcurrency: number
  readonly maxBatch: number
  /** Whether blocks are to come with their traces, where the node has them. */
  readonly wantsTraces: boolean
  readonly longestPauseMs: number
}

export class Endpoint {
  /** Without credentials. */
  readonly name: string
  readonly #transport
  readonly #paceLimits: PaceLimits
  readonly #semaphore = createSemaphore(() => Math.floor(this.#pace.concurrency))
  readonly #observe: NodeObserver
  readonly #wantsTraces: boolean
  readonly #longestPauseMs: number
  #pace: Pace
  #profile: Promise<NodeProfile> | undefined
  #knownProfile: NodeProfile | null = null
  #probedMs = 0
  #failures = 0
  #restingUntilMs = 0
  #problem: string | null = null
  readonly #closing = new AbortController()

  constructor(url: string, limits: EndpointLimits, observe: NodeObserver) {
    this.name = withoutCredentials(url)
    this.#transport = url.startsWith('ws') ? createSocketTransport(url, limits) : createHttpTransport(url, limits)
    this.#paceLimits = { ...limits, slowMs: limits.timeoutMs * SLOW_SHARE }
    this.#pace = startingPace(this.#paceLimits)
    this.#observe = observe
    this.#wantsTraces = limits.wantsTraces
    this.#longestPauseMs = limits.longestPauseMs
  }

  get pace(): Pace {
    return this.#pace
  }

  get knownProfile(): NodeProfile | null {
    return this.#knownProfile
  }

  /** What went wrong last, null while all is well. */
  get trouble(): string | null {
    return this.#problem
  }

  /** Milliseconds for which it is better left alone. */
  get restMs(): number {
    return Math.max(0, this.#restingUntilMs - performance.now())
  }

  /** Answers in order, in as many exchanges as the pace makes of them; fails as a whole where one of them fails. */
  async exchange(calls: readonly RpcCall[], signal: AbortSignal): Promise<Answer[]> {
    const size = Math.floor(this.#pace.batch)
    if (calls.length <= size) return this.#exchangeOnce(calls, signal)
    const parts = inParts(calls, size).map((part) => this.#exchangeOnce(part, signal))
    return (await Promise.all(parts)).flat()
  }

  /** Asked until it was answered once, and now and then again; shared by all who wait for it, so no single one of them can end it. */
  async profile(signal: AbortSignal): Promise<NodeProfile> {
    this.#profile ??= this.#probe()
    return unlessAborted(this.#profile, signal)
  }

  praise(): void {
    // What comes back after silence may be another node, and any node may have more or less state after a while.
    const isBack = this.#failures >= TOLERATED_FAILURES
    const ageMs = performance.now() - this.#probedMs
    this.#failures = 0
    this.#problem = null
    if (this.#knownProfile !== null && (isBack || ageMs > PROBE_EVERY_MS)) this.#probeAgain(this.#knownProfile)
  }

  /**
   * Rests after failures in a row, or for as long as it asked; true where that begins now. What fails while it rests was under way
   * before, and adds nothing.
   */
  blame(problem: UpstreamError): boolean {
    this.#problem = problem.message
    if (this.restMs > 0) return false
    this.#failures++
    const requestedMs = problem instanceof ExchangeFailure ? problem.retryAfterMs : null
    const pauseMs =
      this.#failures < TOLERATED_FAILURES ? 0 : backoffMs(this.#failures, { mostMs: this.#longestPauseMs })
    const restMs = requestedMs ?? pauseMs
    this.#restingUntilMs = performance.now() + Math.min(restMs, LONGEST_REST_MS)
    return restMs > 0
  }

  close(): void {
    this.#closing.abort()
    this.#transport.close()
  }

  /** In the background: meanwhile, where it fails, and where another chain answers, what was known holds. */
  #probeAgain(known: NodeProfile): void {
    this.#probedMs = performance.now()
    this.#ask().then(
      (found) => {
        if (found.chainId !== known.chainId) return
        this.#knownProfile = found
        this.#profile = Promise.resolve(found)
      },
      () => undefined,
    )
  }

  async #probe(): Promise<NodeProfile> {
    try {
      this.#knownProfile = await this.#ask()
      this.#probedMs = performance.now()
      return this.#knownProfile
    } finally {
      if (this.#knownProfile === null) this.#profile = undefined
    }
  }

  #ask(): Promise<NodeProfile> {
    const ask = (calls: readonly RpcCall[]) => this.exchange(calls, this.#closing.signal)
    return probeProfile(ask, { wantsTraces: this.#wantsTraces })
  }

  #exchangeOnce(calls: readonly RpcCall[], signal: AbortSignal): Promise<Answer[]> {
    return this.#semaphore.run(async () => {
      const startedMs = performance.now()
      const settle = (event: { type: 'answered' } | { type: 'failed'; kind: ExchangeFailure['kind'] }) => {
        const timed = { ...event, startedMs, endedMs: performance.now(), calls: calls.length }
        this.#pace = paceAfter(this.#pace, this.#paceLimits, timed)
        return timed.endedMs - startedMs
      }
      try {
        const answers = await this.#transport.exchange(calls, signal)
        const ms = settle({ type: 'answered' })
        for (const [index, { method }] of calls.entries()) {
          const outcome = answers[index]!.type === 'result' ? 'answered' : 'refused'
          this.#observe({ url: this.name, method, outcome, ms })
        }
        return answers
      } catch (error) {
        if (error instanceof ExchangeFailure && !signal.aborted) {
          const ms = settle({ type: 'failed', kind: error.kind })
          for (const { method } of calls) this.#observe({ url: this.name, method, outcome: 'failed', ms })
        }
        throw error
      }
    }, signal)
  }
}

/** An answer that took this part of the allowed time is a sign of strain. */
const SLOW_SHARE = 0.25
const TOLERATED_FAILURES = 3
const LONGEST_REST_MS = 30_000
const PROBE_EVERY_MS = 600_000
