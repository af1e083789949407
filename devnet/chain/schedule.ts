// When flashblocks are due. Every time is computed from the start and not from the previous flashblock, so nothing drifts. Late
// flashblocks are skipped, not made up for.

import { setTimeout as sleep } from 'node:timers/promises'

export type Schedule = { readonly blockMs: number; readonly flashblockMs: number }

/** A flashblock time of 0 means a chain without Flashblocks: every block is made whole. */
export function flashblocksPerBlock({ blockMs, flashblockMs }: Schedule): number {
  if (flashblockMs === 0) return 1
  return Math.max(1, Math.floor(blockMs / flashblockMs))
}

/**
 * Yields the block number for every flashblock when it is due, until the signal is aborted. Starts at a multiple of the block time.
 * Numbers of skipped blocks are skipped.
 */
export async function* beats(clock: Clock, schedule: Schedule, signal: AbortSignal): AsyncGenerator<number> {
  const { blockMs } = schedule
  const startMs = Math.ceil(clock.nowMs() / blockMs) * blockMs
  for (let beat = 0; ; beat = Math.max(beat + 1, lastDue(schedule, clock.nowMs() - startMs))) {
    await clock.sleepUntil(startMs + dueMs(schedule, beat), signal)
    if (signal.aborted) return
    yield Math.floor(beat / flashblocksPerBlock(schedule))
  }
}

/** Milliseconds after the start. */
function dueMs(schedule: Schedule, beat: number): number {
  const perBlock = flashblocksPerBlock(schedule)
  return Math.floor(beat / perBlock) * schedule.blockMs + (beat % perBlock) * schedule.flashblockMs
}

function lastDue(schedule: Schedule, elapsedMs: number): number {
  const { blockMs, flashblockMs } = schedule
  const perBlock = flashblocksPerBlock(schedule)
  const inBlock = Math.min(perBlock - 1, Math.floor((elapsedMs % blockMs) / Math.max(1, flashblockMs)))
  return Math.floor(elapsedMs / blockMs) * perBlock + inBlock
}

export type Clock = {
  nowMs(): number
  /** Resolves at that time, or when the signal is aborted. */
  sleepUntil(timeMs: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  async sleepUntil(timeMs, signal) {
    // A timer may fire a little early by the wall clock.
    while (!signal.aborted && Date.now() < timeMs) {
      await sleep(timeMs - Date.now(), undefined, { signal }).catch(() => undefined)
    }
  },
}
