// A run in slices: between two of them it can be paused, so that a long call does not keep a flashblock waiting, and given up.
import type { ExecutionFrame } from './execution-frame.ts'
import { swapFramePool } from './frame-pool.ts'
import { runSomeSteps } from './interpreter.ts'

/** Every `yield` is a place to pause. */
export type PausableRun<T> = Generator<undefined, T, undefined>

export function* pausableFrameRun(root: ExecutionFrame): PausableRun<void> {
  let frame: ExecutionFrame | null = runSomeSteps(root, root, STEPS_IN_SLICE)
  while (frame !== null) {
    yield
    frame = runSomeSteps(root, frame, STEPS_IN_SLICE)
  }
}

export function runToEnd<T>(slices: PausableRun<T>): T {
  for (;;) {
    const slice = slices.next()
    if (slice.done) return slice.value
  }
}

export type TimeSlicing = {
  /** How long one turn takes, about. */
  readonly timeSliceMs: number
  /** Time of `performance.now()` after which the run is given up. */
  readonly deadlineMs: number
  /** Lets the others have theirs; throws where there is no point in going on. */
  pause(): Promise<void>
}

/** Took longer than it was allowed to. */
export class ExecutionTimeout extends Error {
  override readonly name = 'OutOfTime'
}

/** What is short is done at once. */
export function runInTimeSlices<T>(slices: PausableRun<T>, turns: TimeSlicing): T | Promise<T> {
  const first = slices.next()
  return first.done ? first.value : remainingTurns(slices, turns)
}

/** While it pauses, the frames that it is in the middle of are nobody else's. The first slice has run already. */
async function remainingTurns<T>(
  slices: PausableRun<T>,
  { timeSliceMs: turnMs, deadlineMs, pause }: TimeSlicing,
): Promise<T> {
  let own = swapFramePool([])
  for (;;) {
    const others = swapFramePool(own)
    try {
      const endMs = performance.now() + turnMs
      do {
        const slice = slices.next()
        if (slice.done) return slice.value
      } while (performance.now() < endMs)
    } finally {
      own = swapFramePool(others)
    }
    await pause()
    if (performance.now() > deadlineMs) throw new ExecutionTimeout('execution timed out')
  }
}

/** A tenth to one millisecond of ordinary operations. */
const STEPS_IN_SLICE = 10_000
