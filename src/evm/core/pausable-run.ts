// Runs that can pause, so that a long call does not delay a flashblock, and that can be abandoned while they pause.
import type { ExecutionFrame } from './execution-frame.ts'
import { swapFramePool } from './frame-pool.ts'
import { runSomeSteps } from './interpreter.ts'

/** The run may pause at every `yield`. */
export type PausableRun<T> = Generator<undefined, T, undefined>

export function* pausableFrameRun(root: ExecutionFrame): PausableRun<void> {
  let frame: ExecutionFrame | null = runSomeSteps(root, root, STEPS_BETWEEN_PAUSES)
  while (frame !== null) {
    yield
    frame = runSomeSteps(root, frame, STEPS_BETWEEN_PAUSES)
  }
}

export function runToEnd<T>(run: PausableRun<T>): T {
  for (;;) {
    const step = run.next()
    if (step.done) return step.value
  }
}

export type TimeSlicing = {
  /** Approximate time that the run takes before it pauses. */
  readonly timeSliceMs: number
  /** Time of `performance.now()` after which the run is abandoned. */
  readonly deadlineMs: number
  /** Lets other work of this thread run. Throws if the result is no longer needed. */
  pause(): Promise<void>
}

export class ExecutionTimeout extends Error {
  override readonly name = 'ExecutionTimeout'
}

/** A run that ends before its first pause is finished synchronously. */
export function runInTimeSlices<T>(run: PausableRun<T>, timeSlicing: TimeSlicing): T | Promise<T> {
  const first = run.next()
  return first.done ? first.value : remainingTimeSlices(run, timeSlicing)
}

/** The first part has already run. During a pause the frames of this run are out of the pool, so that no other run uses them. */
async function remainingTimeSlices<T>(
  run: PausableRun<T>,
  { timeSliceMs, deadlineMs, pause }: TimeSlicing,
): Promise<T> {
  let ownFrames = swapFramePool([])
  for (;;) {
    const otherFrames = swapFramePool(ownFrames)
    try {
      const endMs = performance.now() + timeSliceMs
      do {
        const step = run.next()
        if (step.done) return step.value
      } while (performance.now() < endMs)
    } finally {
      ownFrames = swapFramePool(otherFrames)
    }
    await pause()
    if (performance.now() > deadlineMs) throw new ExecutionTimeout('execution timed out')
  }
}

/** Ordinary operations of this number take a tenth of a millisecond to one millisecond. */
const STEPS_BETWEEN_PAUSES = 10_000
