// The tree of calls that a transaction made. Nodes report it in two formats, which `call-tracer-frames.ts` and `parity-frames.ts` read.
export type CallFrame = {
  readonly type: CallFrameType
  /** The sender of the value; for a delegatecall the contract that borrows the code, for a selfdestruct the destroyed contract. */
  readonly from: bigint
  /** Null only for a creation that failed or whose address the node did not report. */
  readonly to: bigint | null
  /** Zero for a staticcall, which has none. */
  readonly value: bigint
  readonly gas: bigint
  readonly gasUsed: bigint
  /** For a creation, the init code. */
  readonly input: Uint8Array
  /** Return data, revert data or the new contract's code. */
  readonly output: Uint8Array
  /** Null if the call succeeded. Always in geth's words, whichever node reported it. */
  readonly error: string | null
  /** The text in the revert data, if there is one. */
  readonly revertReason: string | null
  readonly calls: readonly CallFrame[]
}

export type CallFrameType = (typeof callFrameTypes)[number]

export const callFrameTypes = [
  'call',
  'staticcall',
  'delegatecall',
  'callcode',
  'create',
  'create2',
  'selfdestruct',
] as const

export function isCallFrameType(type: string): type is CallFrameType {
  return (callFrameTypes as readonly string[]).includes(type)
}

export function isCreation({ type }: Pick<CallFrame, 'type'>): boolean {
  return type === 'create' || type === 'create2'
}
