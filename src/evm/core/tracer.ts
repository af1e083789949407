// Hooks into a run. A tracer that leaves `step` out costs nothing per operation; without a tracer nothing is called at all.
// Hooks read frames and must not keep them: a frame is used again as soon as it has ended.
import type { Log } from '../../chain/codec/log.ts'
import type { ExecutionFrame } from './execution-frame.ts'

export interface Tracer {
  /** A call or creation begins; nothing has happened yet, not even the transfer of its value. */
  enter?(frame: ExecutionFrame): void
  /** It ended: `frame.halt`, `frame.output` and `frame.gas` are final. */
  exit?(frame: ExecutionFrame): void
  /** An operation is about to run; its static gas is not charged yet. */
  step?(frame: ExecutionFrame, opcode: number): void
  log?(frame: ExecutionFrame, log: Log): void
  selfDestruct?(frame: ExecutionFrame, beneficiary: bigint, balance: bigint): void
}
