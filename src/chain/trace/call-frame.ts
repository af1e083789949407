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

/** What a node reported of one transaction. */
export type ReadTrace = {
  /** The outermost call; null if none was made or it could not be read. */
  readonly frame: CallFrame | null
  /** One reason for each call frame that could not be read. The readable calls inside such a frame belong to the frame around it. */
  readonly unread: readonly string[]
}

/** Undefined for a kind that is not known. `name` is as geth, reth, erigon or nethermind spell it, in any case. */
export function callFrameType(name: unknown): CallFrameType | undefined {
  return CALL_FRAME_TYPES.get(String(name).toLowerCase())
}

/** Kinds that only some nodes or chains have, beside those that all have. */
const CALL_FRAME_TYPES: ReadonlyMap<string, CallFrameType> = new Map<string, CallFrameType>([
  ...callFrameTypes.map((type) => [type, type] as const),
  ['suicide', 'selfdestruct'],
  ['none', 'call'],
  ['authcall', 'call'],
  ['extcall', 'call'],
  ['extstaticcall', 'staticcall'],
  ['extdelegatecall', 'delegatecall'],
  ['eofcall', 'call'],
  ['eofstaticcall', 'staticcall'],
  ['eofdelegatecall', 'delegatecall'],
  ['eofcreate', 'create'],
  ['txcreate', 'create'],
])

export function isCreation({ type }: Pick<CallFrame, 'type'>): boolean {
  return type === 'create' || type === 'create2'
}
