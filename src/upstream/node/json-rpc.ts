// JSON-RPC as its client sees it: calls out, one answer a call back, and which kind of refusal came.

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

export type Answer = { readonly type: 'result'; readonly result: unknown } | Refused

export type Refused = {
  readonly type: 'refused'
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A refusal that asking again would not change. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal'
  readonly code: number
  readonly data: unknown

  constructor(method: string, { code, message, data }: Refused) {
    super(`${method}: ${message} (${code})`)
    this.code = code
    this.data = data
  }
}

/** A single call goes without the list around it: not every node knows batches. */
export function requestText(calls: readonly RpcCall[], firstId: number): string {
  const requests = calls.map(({ method, params }, index) => ({ jsonrpc: '2.0', id: firstId + index, method, params }))
  return JSON.stringify(requests.length === 1 ? requests[0] : requests)
}

/** Answers in the order of the calls; undefined where the response is none to these calls. */
export function answersIn(response: unknown, firstId: number, count: number): Answer[] | undefined {
  const items: readonly unknown[] = Array.isArray(response) ? response : [response]
  const answers = new Array<Answer | undefined>(count).fill(undefined)
  for (const item of items) {
    if (typeof item !== 'object' || item === null || !('id' in item)) return undefined
    const index = Number(item.id) - firstId
    if (!(index in answers)) return undefined
    answers[index] = answerIn(item)
  }
  return answers.every((answer) => answer !== undefined) ? answers : undefined
}

function answerIn(item: object): Answer | undefined {
  if ('error' in item && typeof item.error === 'object' && item.error !== null) {
    const { code, message, data } = item.error as { code?: unknown; message?: unknown; data?: unknown }
    return {
      type: 'refused',
      code: Number(code ?? 0),
      message: String(message ?? ''),
      ...(data !== undefined && { data }),
    }
  }
  return 'result' in item ? { type: 'result', result: item.result } : undefined
}

/** The node does not have the method, or does not offer it on this port. */
export function isMissingMethod({ code, message }: Refused): boolean {
  return code === -32601 || MISSING_METHOD.test(message)
}

/** Old state was thrown away: no trace and no balance of this block will ever come from this node. */
export function isMissingState({ message }: Refused): boolean {
  return isMissingStateText(message)
}

export function isMissingStateText(message: string): boolean {
  return MISSING_STATE.test(message)
}

/** Asked again in a while, the same call may well succeed. Some nodes hide a revert behind the code of an internal error. */
export function isPassing({ code, message }: Refused): boolean {
  return (PASSING_CODES.has(code) || PASSING.test(message)) && !FINAL.test(message) && !MISSING_STATE.test(message)
}

/** The node ran the call, and the contract did not let it succeed: that is an answer of the contract. */
export function isContractRefusal({ code, message }: Refused): boolean {
  return code === REVERTED || (EXECUTION_ERROR.test(message) && !MISSING_STATE.test(message))
}

const REVERTED = 3
const EXECUTION_ERROR =
  /revert|invalid opcode|opcode .*not|out of gas|gas uint64|invalid jump|stack (under|over)flow|evm error|vm execution/i
const PASSING_CODES = new Set([-32005, -32603, 429])
const PASSING =
  /rate.?limit|too many|capacity|time.?out|timed out|busy|overload|try again|temporar|(header|block) not found|unknown block|synced/i
const FINAL = /revert|invalid opcode|out of gas/i
const MISSING_METHOD =
  /(method|module|namespace|api) .*(not (found|supported|available|exist|enabled)|disabled|unknown)/i
const MISSING_STATE = /missing trie node|histor(y|ical) state|state .*(not available|unavailable|pruned)|pruned/i

export type Transport = {
  /** At least one call. Answers in order. */
  exchange(calls: readonly RpcCall[], signal: AbortSignal): Promise<Answer[]>
  close(): void
}

export type TransportLimits = {
  /** For one exchange, connecting included. */
  readonly timeoutMs: number
  /** Of one answer. */
  readonly maxBytes: number
}

/** Neighbours together, at most `size` in a part. */
export function inParts<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size))
  return parts
}
