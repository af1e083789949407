// What a transaction called, as a tree. Nodes tell it in two shapes; `call-tracer-frames.ts` and `parity-frames.ts` read them.
export type CallFrame = {
  readonly type: CallFrameType
  /** Whose money moves; of a delegatecall the contract that borrows the code, of a selfdestruct the contract that ends. */
  readonly from: bigint
  /** Null only for a creation that failed, or whose address was not told. */
  readonly to: bigint | null
  /** Zero for a staticcall, which has none. */
  readonly value: bigint
  readonly gas: bigint
  readonly gasUsed: bigint
  /** Of a creation: the code that makes the contract. */
  readonly input: Uint8Array
  /** Return data, revert data or the new contract's code. */
  readonly output: Uint8Array
  /** Null: it succeeded. One vocabulary, geth's, whichever node told it. */
  readonly error: string | null
  /** The words in the revert data, where there are any. */
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
