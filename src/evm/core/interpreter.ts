// The interpreter loop. A call does not recurse: the calling frame stops with `child` set, the loop runs the child, and gives its result
// to the caller when the child has ended. So 1,024 nested calls need no deeper JavaScript stack than one.
import { closeFrame, resumeParent } from './calling.ts'
import type { ExecutionFrame } from './execution-frame.ts'
import { releaseDeepFrames } from './frame-pool.ts'
import { Halt, OUT_OF_GAS, stackOverflow, stackUnderflow } from './halt.ts'

/** Runs an opened frame, and everything that it calls, to its end. */
export function runFrame(root: ExecutionFrame): void {
  let frame: ExecutionFrame | null = root
  while (frame !== null) frame = runSomeSteps(root, frame, MANY_STEPS)
}

/** Runs about `steps` operations, beginning in `from`, which is `root` or a frame below it. Returns the frame to continue from, or null at the end. */
export function runSomeSteps(root: ExecutionFrame, from: ExecutionFrame, steps: number): ExecutionFrame | null {
  const { tracer } = root.machine
  const run = tracer?.step === undefined ? runUntilPause : runTracedUntilPause
  let frame = from
  let left = steps
  for (;;) {
    if (frame.isRunning) {
      left = run(frame, left)
      if (frame.isRunning) return frame
    }
    const { child } = frame
    if (child !== null) {
      frame = child
      continue
    }
    closeFrame(frame)
    if (frame === root) break
    frame = resumeParent(frame)
  }
  releaseDeepFrames()
  return null
}

/** The largest integer that V8 counts down cheaply (a small integer). */
const MANY_STEPS = 2 ** 30 - 1

/** Returns the number of steps left. If none is left, the frame may still be running. */
function runUntilPause(frame: ExecutionFrame, steps: number): number {
  let left = steps
  const { execute, gas, fewest, most } = frame.machine.operations
  const bytes = frame.code.padded
  try {
    do {
      const opcode = bytes[frame.pc++]!
      const size = frame.stackSize
      if (size < fewest[opcode]!) throw stackUnderflow(size, fewest[opcode]!)
      if (size > most[opcode]!) throw stackOverflow(size, most[opcode]!)
      frame.gas -= gas[opcode]!
      if (frame.gas < 0) throw OUT_OF_GAS
      execute[opcode]!(frame)
    } while (--left > 0 && frame.isRunning)
  } catch (thrown) {
    endWith(frame, thrown)
  }
  return left
}

/** The same with a hook before every operation. It is a second loop so that the first pays nothing for the hook. */
function runTracedUntilPause(frame: ExecutionFrame, steps: number): number {
  let left = steps
  const { operations, tracer } = frame.machine
  const { execute, gas, fewest, most } = operations
  const bytes = frame.code.padded
  try {
    do {
      const opcode = bytes[frame.pc]!
      tracer?.step?.(frame, opcode)
      frame.pc++
      const size = frame.stackSize
      if (size < fewest[opcode]!) throw stackUnderflow(size, fewest[opcode]!)
      if (size > most[opcode]!) throw stackOverflow(size, most[opcode]!)
      frame.gas -= gas[opcode]!
      if (frame.gas < 0) throw OUT_OF_GAS
      execute[opcode]!(frame)
    } while (--left > 0 && frame.isRunning)
  } catch (thrown) {
    endWith(frame, thrown)
  }
  return left
}

function endWith(frame: ExecutionFrame, thrown: unknown): void {
  if (!(thrown instanceof Halt)) throw thrown
  frame.halt = thrown
  frame.isRunning = false
  frame.child = null
}
