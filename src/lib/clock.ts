// The two clocks of a process. Durations and ages are measured by the monotonic one, which never jumps. The wall clock says what time it is,
// and may be set by anybody at any time; this module notices when that happens.
import type { Part } from './async/lifecycle.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Milliseconds since some moment, the same one in all threads of a process. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

export type ClockStatus = {
  /** By how much the wall clock jumped in the last ten minutes; 0 while it did not, or came back. */
  readonly jumpedMs: number
  /** Since its last jump; null while it has not jumped. */
  readonly jumpAgeMs: number | null
}

export type ClockHealth = ClockStatus & {
  readonly jumps: number
  readonly jumpAtMs: number | null
  readonly aheadMs: number
}

/** Slewing by NTP stays far below this between two looks. */
const JUMP_MS = 2_000
/** After this time a clock that was set counts as right. */
const SETTLED_MS = 600_000
const LOOK_EVERY_MS = 1_000

export type Clocks = { readonly wallMs: number; readonly monotonicMs: number }

export function clockAtStart(now: Clocks): ClockHealth {
  return { jumpedMs: 0, jumpAgeMs: null, jumps: 0, jumpAtMs: null, aheadMs: now.wallMs - now.monotonicMs }
}

/** Each look compares how far the wall clock is ahead of the monotonic one with the look before. */
export function clockAfterLook(health: ClockHealth, now: Clocks): ClockHealth {
  const aheadMs = now.wallMs - now.monotonicMs
  const stepMs = aheadMs - health.aheadMs
  if (Math.abs(stepMs) > JUMP_MS) {
    const sumMs = Math.round(health.jumpedMs + stepMs)
    const jumpedMs = Math.abs(sumMs) > JUMP_MS ? sumMs : 0
    return { aheadMs, jumpedMs, jumps: health.jumps + 1, jumpAtMs: now.monotonicMs, jumpAgeMs: 0 }
  }
  if (health.jumpAtMs === null) return { ...health, aheadMs }
  const jumpAgeMs = Math.round(now.monotonicMs - health.jumpAtMs)
  return { ...health, aheadMs, jumpAgeMs, jumpedMs: jumpAgeMs > SETTLED_MS ? 0 : health.jumpedMs }
}

/** Null while the clock runs as clocks do. */
export function clockWarning({ jumpedMs, jumpAgeMs }: ClockStatus): string | null {
  if (jumpedMs === 0) return null
  const [seconds, direction] = [Math.abs(Math.round(jumpedMs / 1000)), jumpedMs > 0 ? 'forward' : 'back']
  return (
    `the clock of this machine was set ${direction} by ${seconds} s, ${Math.round(jumpAgeMs! / 1000)} s ago: ` +
    'timestamps of signed requests and the end of console sessions are judged by it'
  )
}

export type ClockWatch = { readonly status: () => ClockStatus }

export function clockWatchPart({
  metrics,
  log,
}: {
  metrics: Metrics
  log: Log
}): Part<ClockWatch & { stop: () => void }> {
  return {
    name: 'clock watch',
    start: () => {
      const now = (): Clocks => ({ wallMs: Date.now(), monotonicMs: monotonicMs() })
      let health = clockAtStart(now())
      const look = (): ClockHealth => {
        const { jumps } = health
        health = clockAfterLook(health, now())
        if (health.jumps > jumps) log.warn({ jumpedMs: health.jumpedMs }, 'clock: the wall clock was set')
        return health
      }
      metrics.counted('firstlight_clock_jumps_total', 'Times that the wall clock was set', () => health.jumps)
      metrics.gauge(
        'firstlight_clock_jumped_seconds',
        'By how much the wall clock was set in the last ten minutes',
        () => look().jumpedMs / 1000,
      )
      const timer = setInterval(look, LOOK_EVERY_MS).unref()
      return {
        status: () => {
          const { jumpedMs, jumpAgeMs } = look()
          return { jumpedMs, jumpAgeMs }
        },
        stop: () => clearInterval(timer),
      }
    },
    stop: ({ stop }) => stop(),
  }
}
