// A run in slices: between two of them it can be paused, so that a long call does not keep a flashblock waiting, and given up.
import { type Frame, swapFrames } from '../core/execution-frame.ts'
import { runSomeSteps } from '../core/interpreter.ts'

/** Every `yield` is a place to pause. */
export type Slices<T> = Generator<undefined, T, undefined>

export function* frameSlices(root: Frame): Slices<void> {
  let frame: Frame | null = runSomeSteps(root, root, STEPS_IN_SLICE)
  while (frame !== null) {
    yield
    frame = runSomeSteps(root, frame, STEPS_IN_SLICE)
  }
}

export function runToEnd<T>(slices: Slices<T>): T {
  for (;;) {
    const slice = slices.next()
    if (slice.done) return slice.value
  }
}

export type Turns = {
  /** How long one turn takes, about. */
  readonly turnMs: number
  /** Time of `performance.now()` after which the run is given up. */
  readonly deadlineMs: number
  /** Lets the others have theirs; throws where there is no point in going on. */
  pause(): Promise<void>
}

/** Took longer than it was allowed to. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

/** What is short is done at once. */
export function runInTurns<T>(slices: Slices<T>, turns: Turns): T | Promise<T> {
  const first = slices.next()
  return first.done ? first.value : remainingTurns(slices, turns)
}

/** While it pauses, the frames that it is in the middle of are nobody else's. The first slice has run already. */
async function remainingTurns<T>(slices: Slices<T>, { turnMs, deadlineMs, pause }: Turns): Promise<T> {
  let own = swapFrames([])
  for (;;) {
    const others = swapFrames(own)
    try {
      const endMs = performance.now() + turnMs
      do {
        const slice = slices.next()
        if (slice.done) return slice.value
      } while (performance.now() < endMs)
    } finally {
      own = swapFrames(others)
    }
    await pause()
    if (performance.now() > deadlineMs) throw new OutOfTime('execution timed out')
  }
}

/** A tenth to one millisecond of ordinary operations. */
const STEPS_IN_SLICE = 10_000
