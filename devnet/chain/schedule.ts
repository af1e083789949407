// When flashblocks are due. Every time follows from the start and never from the one before, so nothing drifts; what is late is left out
// instead of being made up for in a rush.
import type { Clock } from './clock.ts'

export type Schedule = { readonly blockMs: number; readonly flashblockMs: number }

export function flashblocksPerBlock({ blockMs, flashblockMs }: Schedule): number {
  return Math.max(1, Math.floor(blockMs / flashblockMs))
}

/**
 * The number of a block for every flashblock of it, at its time, until the signal comes. Starts on a whole multiple of the block time;
 * numbers are left out where blocks are.
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

/** After the start. */
function dueMs(schedule: Schedule, beat: number): number {
  const perBlock = flashblocksPerBlock(schedule)
  return Math.floor(beat / perBlock) * schedule.blockMs + (beat % perBlock) * schedule.flashblockMs
}

function lastDue(schedule: Schedule, elapsedMs: number): number {
  const { blockMs, flashblockMs } = schedule
  const perBlock = flashblocksPerBlock(schedule)
  const inBlock = Math.min(perBlock - 1, Math.floor((elapsedMs % blockMs) / flashblockMs))
  return Math.floor(elapsedMs / blockMs) * perBlock + inBlock
}
