// Execution frames by depth, used again by every run of this thread: allocating a stack and a memory costs more than a short call.
// Only one run may use the pool at a time; a run that pauses takes its frames out (`swapFramePool`).
import { ExecutionFrame } from './execution-frame.ts'

let frames: ExecutionFrame[] = []

export function frameAtDepth(depth: number): ExecutionFrame {
  for (let next = frames.length; next <= depth; next++) frames.push(new ExecutionFrame(next))
  return frames[depth]!
}

/** Must be called only when nothing runs. A deep frame is rarely needed again, and it would hold the world of its last run in memory. */
export function releaseDeepFrames(): void {
  if (frames.length > MAX_IDLE_FRAMES) frames.length = MAX_IDLE_FRAMES
}

/** Replaces the frames of the pool and returns the previous ones. */
export function swapFramePool(others: ExecutionFrame[]): ExecutionFrame[] {
  const used = frames
  frames = others
  return used
}

const MAX_IDLE_FRAMES = 16
